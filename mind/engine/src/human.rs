//! Playing like people: a net that knows them beside the one that thinks, and whom it imitates.

use std::sync::Arc;

use jigo_board::{Color, Symmetry};
use jigo_katago::KataNet;
use jigo_katago::inputs::profile::{Profile, UnknownProfile};
use jigo_net::{Backend, Position, Told, View};
use jigo_search::{Evaluation, Manner, SearchReport};

use crate::engine::Engine;
use crate::nets::NetCard;
use crate::policy_player::PolicyPlayer;

/// A net for human play, and the player it imitates when it is to move; nobody if it only gives its opinion.
#[derive(Clone)]
pub struct Human {
    net: Arc<KataNet>,
    like: Option<Profile>,
}

/// Why nobody can be imitated.
#[derive(Debug, thiserror::Error)]
pub enum HumanError {
    #[error("there is no net for human play; --human-net names one")]
    NoNet,
    #[error("{0} is not a net for human play: it knows no players")]
    KnowsNobody(String),
    #[error(transparent)]
    Unknown(#[from] UnknownProfile),
}

impl Human {
    pub fn new(net: Arc<KataNet>, like: Option<Profile>) -> Result<Human, HumanError> {
        if net.profile().is_none() {
            return Err(HumanError::KnowsNobody(net.name().to_string()));
        }
        Ok(Human { net, like })
    }

    /// The net for human play itself.
    pub fn card(&self) -> NetCard {
        let name = || self.net.name().to_owned();
        NetCard { name: name(), internal_name: name(), knows_people: true, version: self.net.version() }
    }

    /// The same net imitating somebody else, or nobody.
    pub fn like(self, like: Option<Profile>) -> Human {
        Human { like, ..self }
    }
}

impl Engine {
    /// Has a net for human play at hand from now on, or none.
    pub fn set_human(&mut self, human: Option<Human>) {
        self.human = human;
    }

    /// That net for human play.
    pub fn human(&self) -> Option<&Human> {
        self.human.as_ref()
    }

    /// Plays like this player from now on, by KataGo's names such as `rank_5k`; like itself again for an empty name.
    pub fn play_like(&mut self, name: &str) -> Result<(), HumanError> {
        let like = if name.is_empty() { None } else { Some(name.parse()?) };
        let human = self.human.as_mut().ok_or(HumanError::NoNet)?;
        human.like = like;
        Ok(())
    }

    /// Whom it plays like.
    pub fn plays_like(&self) -> Option<&Profile> {
        self.human.as_ref()?.like.as_ref()
    }

    /// What such a player would do here, by the net for human play.
    pub fn human_opinion(&self, color: Color, like: &Profile, symmetry: Symmetry) -> Option<Evaluation> {
        let net = Arc::new(self.human.as_ref()?.net.with_profile(like.clone()));
        let mut game = self.game().clone();
        game.set_to_move(color);
        let game = Arc::new(game);
        let told = Told { game: &game, moves: &[], komi: game.effective_komi(), manner: Manner::PLAIN };
        let view = View { position: Position::of_game(&game), symmetry, told: Some(told) };
        net.evaluator().evaluate_batch(&[view]).pop()
    }

    /// Puts the move that the imitated player chose first in the report, if somebody is imitated.
    pub(crate) fn choose_like(&mut self, report: &mut SearchReport, color: Color) {
        let Some(like) = self.plays_like().cloned() else { return };
        let Some(opinion) = self.human_opinion(color, &like, Symmetry::IDENTITY) else { return };
        for seen in &mut report.moves {
            seen.policy = opinion.probability(seen.mv);
        }
        let (game, rng) = self.game_and_rng();
        PolicyPlayer { temperature: 1.0, overlooked: 0.0 }.draw_first_move(report, game, color, rng);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::Decision;
    use jigo_board::{Game, Rules};
    use jigo_search::RandomMover;

    fn net(name: &str) -> Arc<KataNet> {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../katago/tests/data").join(name);
        Arc::new(KataNet::read(&std::fs::read(file).unwrap()).unwrap())
    }

    #[test]
    fn players_of_another_rank_have_another_opinion() {
        let mut engine = Engine::new(Game::new(9, Rules::default()), Box::new(RandomMover::new(1)), 1);
        assert!(matches!(engine.play_like("rank_5k"), Err(HumanError::NoNet)));
        assert!(matches!(Human::new(net("tiny-v8-relu.bin.gz"), None), Err(HumanError::KnowsNobody(_))));
        engine.set_human(Some(Human::new(net("tiny-v15-meta.bin.gz"), None).unwrap()));
        assert!(engine.play_like("rank_99k").is_err() && engine.plays_like().is_none());
        let opinion = |name: &str| {
            let opinion = engine.human_opinion(Color::Black, &name.parse().unwrap(), Symmetry::IDENTITY).unwrap();
            opinion.moves().map(|(_, probability)| probability).collect::<Vec<_>>()
        };
        assert_eq!(opinion("rank_5k"), opinion("rank_5k"));
        assert_ne!(opinion("rank_5k"), opinion("proyear_1950"));
        engine.play_like("rank_5k").unwrap();
        assert!(matches!(engine.genmove(Color::Black), Decision::Move(_)));
    }
}
