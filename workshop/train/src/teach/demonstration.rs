//! A teacher plays with itself, and what it thinks of every position on the way is written down: a look that chooses a move
//! is an answer as well, so no look is spent on the way to a position.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use jigo_board::{Game, Move, Rng};

use super::Teacher;
use super::label::{Answers, Label, Lesson};
use super::labelling::{TeachError, ask_about};
use crate::journal::Journal;
use crate::positions::{
    Exercise, PolicyGame, draw_played_kind, draw_size, exercise, komi_of_game, move_at, nearest_komi, plan,
};

/// Games of one draw, played side by side.
const GAMES: usize = 16;
/// The share of games that stay at their own komi; in the others it follows what the teacher thinks is even.
const PLAIN_SHARE: f32 = 0.2;
/// How far from even these are, in board sides.
const SWING: f32 = 0.4;

pub struct Demonstration {
    /// The journal of answers; one found there is continued.
    pub journal: PathBuf,
    /// Answers it shall hold.
    pub count: usize,
    /// Boards of these sizes only; all sizes in the usual shares if there are none.
    pub sizes: Vec<usize>,
    /// Every win rate is asked for at these komi as well.
    pub also_at: Vec<f32>,
    pub seed: u64,
}

/// Lets the teacher play until the journal holds as many answers as wanted; returns how many it holds.
pub fn demonstrate(teacher: &mut dyn Teacher, wanted: &Demonstration) -> Result<usize, TeachError> {
    let (mut journal, kept) = Journal::<Answers>::open(&wanted.journal)?;
    let mut count: usize = kept.iter().map(|entry| entry.lessons.len()).sum();
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} answers, {per_sec}, left {eta_precise}");
    let bar = ProgressBar::new(wanted.count as u64).with_position(count as u64);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.reset_eta();
    let mut number = kept.len() as u64;
    while count < wanted.count {
        let lessons = draw(teacher, wanted, number, &bar);
        number += 1;
        count += lessons.len();
        journal.add(&Answers { teacher: teacher.name(), lessons })?;
        bar.set_position(count as u64);
    }
    bar.finish_and_clear();
    Ok(count)
}

/// The games with this number, the same for ever for one seed and one teacher.
fn draw(teacher: &mut dyn Teacher, wanted: &Demonstration, number: u64, bar: &ProgressBar) -> Vec<Lesson> {
    let mut rng = Rng::new(wanted.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).fork();
    let rng = &mut rng;
    let (kind, size) = (draw_played_kind(rng), draw_size(&wanted.sizes, rng));
    let mut played: Vec<Played> =
        (0..GAMES).map(|_| Played::new(PolicyGame::opened(size, plan(kind, size, rng), rng), rng)).collect();
    let mut lessons = Vec::new();
    loop {
        let mut turn: Vec<&mut Played> = played.iter_mut().filter(|played| !played.game.is_over()).collect();
        let asked: Vec<(Exercise, Game)> = turn
            .iter()
            .filter_map(|played| {
                let exercise = exercise(kind, size, played.komi, &played.game.plan.given, &played.game.moves);
                let game = exercise.game()?;
                Some((exercise, game))
            })
            .collect();
        // All of them are games; were one not, nobody could go on.
        if turn.is_empty() || asked.len() < turn.len() {
            return lessons;
        }
        let (exercises, games): (Vec<Exercise>, Vec<Game>) = asked.into_iter().unzip();
        let labels = ask_about(&games, &wanted.also_at, teacher);
        bar.inc(labels.len() as u64);
        for ((played, exercise), label) in turn.iter_mut().zip(exercises).zip(labels) {
            played.go_on(&label, rng);
            lessons.push(Lesson { exercise, label });
        }
    }
}

/// A game and the komi its next position is asked about at.
struct Played {
    game: PolicyGame,
    komi: f32,
    /// The distance from even that the komi keeps; none where it stays as it is.
    swing: Option<f32>,
}

impl Played {
    fn new(game: PolicyGame, rng: &mut Rng) -> Played {
        let size = game.board.size();
        let swing = SWING * size as f32 * (rng.unit() + rng.unit() - 1.0);
        Played { game, komi: komi_of_game(size, rng), swing: (!rng.chance(PLAIN_SHARE)).then_some(swing) }
    }

    fn go_on(&mut self, label: &Label, rng: &mut Rng) {
        let size = self.game.board.size();
        let policy: Vec<(Move, f32)> =
            label.policy().filter_map(|(place, chance)| Some((move_at(place as u16, size)?, chance))).collect();
        self.game.take_turn(&policy, rng);
        if let Some(swing) = self.swing {
            self.komi = nearest_komi(label.even_komi + swing, size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teach::{TeacherOpinion, read_lessons};

    /// Likes all points alike and thinks that Black is three points ahead.
    struct Fake;

    impl Teacher for Fake {
        fn name(&self) -> String {
            "fake".into()
        }

        fn opinions(&mut self, games: &[Game]) -> Vec<TeacherOpinion> {
            let opinion = |game: &Game| {
                let mut policy = vec![0.0; game.board().area() + 1];
                let legal: Vec<_> =
                    game.board().points().filter(|&p| game.board().is_legal(game.to_move(), p)).collect();
                for point in &legal {
                    policy[point.row() * game.size() + point.col()] = 1.0 / (legal.len() + 1) as f32;
                }
                policy[game.board().area()] = 1.0 / (legal.len() + 1) as f32;
                let black_win_rate = if game.komi() < 3.0 { 0.6 } else { 0.4 };
                TeacherOpinion { policy, black_win_rate, even_komi: 3.0, spread: 4.0, black_ownership: Vec::new() }
            };
            games.iter().map(opinion).collect()
        }
    }

    #[test]
    fn every_position_on_the_way_is_an_answer_and_a_journal_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let journal = |name: &str| folder.path().join(name);
        let wanted = |name: &str, count| Demonstration {
            journal: journal(name),
            count,
            sizes: vec![5],
            also_at: vec![],
            seed: 3,
        };
        let first = demonstrate(&mut Fake, &wanted("a", 1)).unwrap();
        let both = demonstrate(&mut Fake, &wanted("a", first + 1)).unwrap();
        assert!(both > first && first > 16);
        assert_eq!(demonstrate(&mut Fake, &wanted("b", first + 1)).unwrap(), both);
        assert_eq!(std::fs::read(journal("a")).unwrap(), std::fs::read(journal("b")).unwrap());
        let (lessons, teachers) = read_lessons(&[journal("a")]).unwrap();
        assert_eq!(teachers, ["fake"]);
        // Of each game all positions from its start on: whatever was played, the position before it is there as well.
        let known: std::collections::HashSet<_> = lessons
            .iter()
            .map(|l| (&l.exercise.given, &l.exercise.moves))
            .map(|(g, m)| (g.clone(), m.clone()))
            .collect();
        let openings = |m: &[u16]| known.contains(&(Vec::new(), m[..m.len() - 1].to_vec()));
        let followed = lessons.iter().filter(|l| l.exercise.given.is_empty() && l.exercise.moves.len() > 9);
        assert!(followed.clone().count() > 0 && followed.clone().all(|lesson| openings(&lesson.exercise.moves)));
        // Most are asked about near the komi that is even.
        let near = lessons.iter().filter(|lesson| (lesson.exercise.komi - 3.0).abs() <= 2.5).count();
        assert!(2 * near > lessons.len(), "{near} of {}", lessons.len());
    }
}
