//! A net of KataGo's as a teacher: one look at each position, from a side of the board drawn by the position itself.

use jigo_board::{Color, Game, KoRule, Point, Scoring, Symmetry, WinRate};
use jigo_katago::inputs::{Course, InputOptions, write};
use jigo_katago::run::{Net, Workspace};
use jigo_katago::{Answer, Asked, Inputs, Model, RawOutput, ReadError, Turn};
use jigo_tactics::Reader;

use super::{Teacher, TeacherOpinion};

pub struct KatagoNet {
    model: Model,
    net: Net,
    workspace: Workspace,
    reader: Reader,
}

impl KatagoNet {
    /// From the bytes of a net file.
    pub fn read(file: &[u8]) -> Result<KatagoNet, ReadError> {
        let model = Model::read(file)?;
        let net = Net::best(&model);
        Ok(KatagoNet { model, net, workspace: Workspace::default(), reader: Reader::new() })
    }
}

impl Teacher for KatagoNet {
    fn name(&self) -> String {
        self.model.name.clone()
    }

    fn opinions(&mut self, games: &[Game]) -> Vec<TeacherOpinion> {
        // Any side will do, as long as it is not always the same: students see all eight.
        self.look(games, |game| Symmetry::from_index((game.board().hash() >> 32) as usize))
    }
}

impl KatagoNet {
    /// One look at each game, from a side of the board.
    fn look(&mut self, games: &[Game], side: impl Fn(&Game) -> Symmetry) -> Vec<TeacherOpinion> {
        let options = InputOptions { area_with_suicide: self.model.area_with_suicide, ..InputOptions::default() };
        let turn = |game: &Game| Turn::from(side(game));
        let mut shown =
            |game: &Game| write(&Course::of_game(game), &options, None, &mut self.reader).turned(turn(game));
        let inputs: Vec<Inputs> = games.iter().map(&mut shown).collect();
        let outputs = self.net.run(&inputs, &mut self.workspace);
        games.iter().zip(&outputs).map(|(game, raw)| opinion(&self.model, game, turn(game), raw)).collect()
    }
}

fn opinion(model: &Model, game: &Game, turn: Turn, raw: &RawOutput) -> TeacherOpinion {
    let (board, size, rules) = (game.board(), game.size(), game.rules());
    let seen_at = |point: Point| {
        let (x, y) = turn.place(point.col(), point.row(), size, size);
        y * size + x
    };
    let points: Vec<Point> = board.points().filter(|&point| board.is_legal(game.to_move(), point)).collect();
    let legal: Vec<usize> = points.iter().map(|&point| seen_at(point)).collect();
    let no_result_possible = rules.ko == KoRule::Simple || rules.scoring == Scoring::Territory;
    let asked = Asked { legal: &legal, no_result_possible, optimism: 0.0, temperature: 1.0, limit_pass: false };
    let answer = Answer::new(model.scale(), raw, &asked);
    let mut policy = vec![0.0; board.area() + 1];
    for (point, chance) in points.iter().zip(&answer.policy) {
        policy[point.row() * size + point.col()] = *chance;
    }
    policy[board.area()] = answer.pass;
    let black = if game.to_move() == Color::Black { 1.0 } else { -1.0 };
    let mine = answer.win / (answer.win + answer.loss).max(f32::MIN_POSITIVE);
    TeacherOpinion {
        policy,
        black_win_rate: WinRate::of(game.to_move(), mine).share_of(Color::Black),
        even_komi: game.komi() + black * answer.lead,
        spread: (answer.score_square - answer.score_mean * answer.score_mean).max(0.0).sqrt(),
        black_ownership: board.points().map(|point| black * answer.ownership[seen_at(point)]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use jigo_board::{Move, Rules};

    use super::*;

    const TINY: &[u8] = include_bytes!("../../../../mind/katago/tests/data/tiny-v15-nbt-mish.bin.gz");

    fn game(symmetry: Symmetry) -> Game {
        let mut game = Game::new(7, Rules::default());
        for (col, row) in [(2, 2), (4, 3), (3, 3), (4, 5), (1, 5)] {
            let mv = symmetry.apply_move(Move::Play(Point::new(col, row)), 7);
            game.play(game.to_move(), mv).unwrap();
        }
        game
    }

    /// To look at a position from another side is to look at the turned position from this one.
    #[test]
    fn every_number_finds_its_way_back_to_its_point() {
        let mut net = KatagoNet::read(TINY).unwrap();
        for symmetry in Symmetry::all() {
            let from_there = net.look(&[game(Symmetry::IDENTITY)], |_| symmetry).remove(0);
            let turned = net.look(&[game(symmetry)], |_| Symmetry::IDENTITY).remove(0);
            assert!((from_there.black_win_rate - turned.black_win_rate).abs() < 1e-5);
            assert!((from_there.even_komi - turned.even_komi).abs() < 1e-3);
            assert!((from_there.policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            assert!((from_there.policy[49] - turned.policy[49]).abs() < 1e-5, "the pass");
            for point in game(Symmetry::IDENTITY).board().points() {
                let at = |point: Point| point.row() * 7 + point.col();
                let (here, there) = (at(point), at(symmetry.apply(point, 7)));
                assert!((from_there.policy[here] - turned.policy[there]).abs() < 1e-5, "{symmetry:?} {point:?}");
                assert!((from_there.black_ownership[here] - turned.black_ownership[there]).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn what_is_no_net_is_refused() {
        assert!(KatagoNet::read(b"not a net").is_err());
        assert!(KatagoNet::read(&TINY[..TINY.len() / 2]).is_err());
    }
}
