//! From positions through a teacher's answers to a student, in miniature; and every step goes on where it was cut off.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use jigo_board::{Color, Game, Move, Point, Rng};
use jigo_net::kernel::Isa;
use jigo_net::weights::Layout;
use jigo_net::{Architecture, Net, Weights};
use jigo_records::tsv::{GameLine, GameResult};
use jigo_records::{Counting, Record, Split};
use jigo_train::checkpoint::read_weights;
use jigo_train::loss::LossWeights;
use jigo_train::optimizer::{Schedule, initial_values};
use jigo_train::positions::{
    Exercise, Kind, Mixture, PositionSettings, PositionsError, SHARES, disputes, generate, place_of, read_exercises,
    write_disputes,
};
use jigo_train::self_play::ThisMachine;
use jigo_train::supervised::{self, Taught, train};
use jigo_train::teach::{Labelling, OwnNet, Teacher, TeacherOpinion, agreement, label_all, read_lessons};

fn architecture() -> Architecture {
    "planes=compact-1 channels=32 blocks=p head=32 hidden=16 value=mixture ownership=yes".parse().unwrap()
}

fn untaught() -> Arc<Net> {
    let values = initial_values(&Layout::new(&architecture()), &mut Rng::new(4));
    Arc::new(Net::new(&Weights { architecture: architecture(), values, notes: HashMap::new() }, Isa::best_f32()))
}

/// Likes the middle of the board, thinks that what is empty will be Black's rather than White's, and knows the score: ten
/// points and as many as Black has stones more than White.
struct Orderly {
    asked: Vec<f32>,
}

impl Teacher for Orderly {
    fn name(&self) -> String {
        "orderly".into()
    }

    fn opinions(&mut self, games: &[Game]) -> Vec<TeacherOpinion> {
        let opinion = |game: &Game| {
            let board = game.board();
            let stones = |color| board.points().filter(|&p| board.color_at(p) == Some(color)).count() as f32;
            let even_komi = 10.0 + stones(Color::Black) - stones(Color::White);
            let liking = |point: jigo_board::Point| {
                let from_middle = |at: usize| (2.0 * at as f32 - (board.size() - 1) as f32).powi(2);
                let legal = board.is_legal(game.to_move(), point);
                if legal { (-from_middle(point.col()) - from_middle(point.row())).exp() } else { 0.0 }
            };
            let liked: Vec<f32> = board.points().map(liking).chain([1e-6]).collect();
            let policy = liked.iter().map(|weight| weight / liked.iter().sum::<f32>()).collect();
            let owned = |point| match board.color_at(point) {
                Some(Color::Black) => 1.0,
                Some(Color::White) => -1.0,
                None => 0.5,
            };
            let black_win_rate = 1.0 / (1.0 + (game.komi() - even_komi).exp());
            TeacherOpinion {
                policy,
                black_win_rate,
                even_komi,
                spread: 2.0,
                black_ownership: board.points().map(owned).collect(),
            }
        };
        self.asked.extend(games.iter().map(Game::komi));
        games.iter().map(opinion).collect()
    }
}

/// Games of a few stones on 5x5, at komi far and near.
fn exercises(count: usize) -> Vec<Exercise> {
    let mut rng = Rng::new(9);
    let exercise = |number| {
        let mut moves: Vec<u16> = (0..25).collect();
        rng.shuffle(&mut moves);
        moves.truncate(1 + rng.below(7));
        // No question twice.
        let komi = (number % 41) as f32 - 20.0;
        Exercise { kind: Kind::Opening, size: 5, rules: "chinese".into(), komi, given: Vec::new(), moves }
    };
    (0..count).map(exercise).collect()
}

fn labelling(folder: &Path, most: usize) -> Labelling {
    Labelling { journal: folder.join("answers"), most, batch: 4, seed: 3 }
}

#[test]
fn answers_are_given_once_each_and_again_where_the_first_said_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let exercises = exercises(30);
    let mut teacher = Orderly { asked: Vec::new() };
    assert_eq!(label_all(&exercises, &mut teacher, &labelling(folder.path(), 12)).unwrap(), 12);
    let first = teacher.asked.len();
    // The last entry is torn; what was lost with it is asked again, and nothing else.
    let journal = folder.path().join("answers");
    let bytes = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &bytes[..bytes.len() - 5]).unwrap();
    assert_eq!(label_all(&exercises, &mut teacher, &labelling(folder.path(), usize::MAX)).unwrap(), 30);
    assert!(teacher.asked.len() < 2 * 30 + 8, "{first} {}", teacher.asked.len());
    let (lessons, teachers) = read_lessons(std::slice::from_ref(&journal)).unwrap();
    assert_eq!((lessons.len(), teachers), (30, vec!["orderly".to_string()]));
    for lesson in &lessons {
        let asked: Vec<(f32, f32)> = lesson.label.win_rates().collect();
        assert_eq!(asked[0].0, lesson.exercise.komi);
        let telling = (0.08..=0.92).contains(&asked[0].1);
        assert_eq!(asked.len(), if telling { 1 } else { 2 });
        if let Some((komi, rate)) = asked.get(1) {
            assert_eq!(*komi, lesson.label.even_komi);
            assert!((rate - 0.5).abs() < 0.01);
        }
    }
    let asked = teacher.asked.len();
    label_all(&exercises, &mut teacher, &labelling(folder.path(), usize::MAX)).unwrap();
    assert_eq!(teacher.asked.len(), asked, "everything was known");
}

#[test]
fn a_student_comes_to_think_as_its_teacher_does() {
    let folder = tempfile::tempdir().unwrap();
    label_all(&exercises(400), &mut Orderly { asked: Vec::new() }, &labelling(folder.path(), 400)).unwrap();
    let journal = folder.path().join("answers");
    std::fs::write(folder.path().join("a.sgf"), "(;GM[1]SZ[7]KM[7]RE[B+R];B[cc];W[bb])").unwrap();
    let settings = |steps| supervised::SupervisedSettings {
        data: folder.path().to_path_buf(),
        files: vec![".sgf".into()],
        run: folder.path().join("run"),
        architecture: architecture(),
        start: None,
        seed: 7,
        threads: 2,
        // There are records of one size and answers about the other.
        boards: vec![(5, 16), (7, 2)],
        schedule: Schedule { peak: 0.02, final_share: 0.1, warm_up: 5, steps },
        validate_every: 1000,
        validation_positions: 50,
        loss: LossWeights::default(),
        self_play: None,
        taught: Some(Taught { journals: vec![journal.clone()], share: 0.5 }),
    };
    train(&settings(150), &mut ThisMachine).unwrap();
    let (lessons, _) = read_lessons(std::slice::from_ref(&journal)).unwrap();
    let kept_aside: Vec<_> = lessons.iter().filter(|lesson| lesson.is_kept_aside()).collect();
    assert!((5..60).contains(&kept_aside.len()), "{}", kept_aside.len());
    let net = read_weights(&folder.path().join("run/net.safetensors")).unwrap();
    assert_eq!(net.notes.get("teacher").map(String::as_str), Some("orderly"));
    let student = agreement(Arc::new(Net::new(&net, Isa::best_f32())), &kept_aside).all;
    let stranger = agreement(untaught(), &kept_aside).all;
    let values = |of: &jigo_train::teach::Distance| {
        [of.first_move, of.divergence, of.win_rate, of.even_komi, of.ownership].map(|average| average.value().unwrap())
    };
    let (student, stranger) = (values(&student), values(&stranger));
    assert!(student[0] > 0.6, "same move: {} {}", student[0], stranger[0]);
    for (at, what) in ["divergence", "win rate", "even komi", "ownership"].iter().enumerate() {
        assert!(student[at + 1] < 0.7 * stranger[at + 1], "{what}: {student:?} {stranger:?}");
    }
    let history = std::fs::read_to_string(folder.path().join("run/history.tsv")).unwrap();
    assert!(history.contains("\ttaught:"), "{history}");
    assert!(std::fs::read_to_string(folder.path().join("run/history.svg")).unwrap().contains("the teacher"));
}

#[test]
fn a_second_round_asks_what_follows_where_the_two_differ_most() {
    let folder = tempfile::tempdir().unwrap();
    label_all(&exercises(40), &mut Orderly { asked: Vec::new() }, &labelling(folder.path(), 40)).unwrap();
    let (lessons, _) = read_lessons(&[folder.path().join("answers")]).unwrap();
    let next = disputes(&untaught(), &lessons, 10);
    assert_eq!(next.len(), 10);
    for exercise in &next {
        assert_eq!(exercise.kind, Kind::Dispute);
        let before = lessons.iter().find(|l| l.exercise.moves == exercise.moves[..exercise.moves.len() - 1]).unwrap();
        assert_eq!(exercise.komi, before.label.even_komi);
        assert!(exercise.game().is_some());
    }
    let file = folder.path().join("positions");
    write_disputes(&file, next.clone()).unwrap();
    assert_eq!(read_exercises(&file).unwrap(), next);
}

#[test]
fn a_net_of_ours_can_teach() {
    let games: Vec<Game> = exercises(3).iter().filter_map(Exercise::game).collect();
    let opinions = OwnNet::new("ours".into(), untaught()).opinions(&games);
    assert_eq!(opinions.len(), 3);
    for (opinion, game) in opinions.iter().zip(&games) {
        assert!((opinion.policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!((0.0..=1.0).contains(&opinion.black_win_rate) && opinion.spread > 0.0);
        let taken = game.board().points().position(|point| !game.board().is_empty(point));
        assert!(taken.is_none_or(|place| opinion.policy[place] == 0.0));
    }
}

#[test]
fn positions_are_the_same_for_ever_and_of_many_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let mixture = Mixture {
        records: Vec::new(),
        net: untaught(),
        thinker: untaught(),
        sizes: Vec::new(),
        shares: SHARES.to_vec(),
    };
    let settings =
        |name: &str, count, workers| PositionSettings { file: folder.path().join(name), count, seed: SEED, workers };
    generate(&mixture, &settings("whole", 200, 3)).unwrap();
    generate(&mixture, &settings("broken", 70, 1)).unwrap();
    let broken = folder.path().join("broken");
    let bytes = std::fs::read(&broken).unwrap();
    std::fs::write(&broken, &bytes[..bytes.len() - 3]).unwrap();
    generate(&mixture, &settings("broken", 200, 1)).unwrap();
    let (one, other) = (read_exercises(&folder.path().join("whole")).unwrap(), read_exercises(&broken).unwrap());
    let both = one.len().min(other.len());
    assert!(both > 150);
    assert_eq!(one[..both], other[..both]);
    assert!(one.iter().all(|exercise| exercise.game().is_some()));
    let kinds = one.iter().fold(BTreeMap::new(), |mut kinds, exercise| {
        *kinds.entry(exercise.kind).or_insert(0) += 1;
        kinds
    });
    assert!(kinds.len() >= 3, "{kinds:?}");
    assert!(matches!(read_exercises(&folder.path().join("absent")), Err(PositionsError::Journal(_))));
}

/// A game of six moves on 9x9, and what this kind makes of it.
fn made_of_a_record(kind: Kind, count: usize) -> (Vec<u16>, Vec<Exercise>) {
    let folder = tempfile::tempdir().unwrap();
    let points = [(3, 3), (3, 5), (5, 3), (5, 5), (1, 4), (7, 4)];
    let moves: Vec<Move> = points.iter().map(|&(col, row)| Move::Play(Point::new(col, row))).collect();
    let result = GameResult::parse("B+R").unwrap();
    let line = GameLine { id: "1".into(), date: String::new(), size: 9, komi: 7.0, result, moves: moves.clone() };
    let mut split = Split { size: 9, ..Split::default() };
    split.training.push(Record::new(&line, Counting::ResultOnly).unwrap());
    let mixture = Mixture {
        records: vec![split],
        net: untaught(),
        thinker: untaught(),
        sizes: Vec::new(),
        shares: vec![(kind, 1)],
    };
    let settings = PositionSettings { file: folder.path().join("made"), count, seed: SEED, workers: 1 };
    generate(&mixture, &settings).unwrap();
    (moves.iter().map(|&mv| place_of(mv, 9)).collect(), read_exercises(&settings.file).unwrap())
}

/// How many moves it begins with as the record does.
fn shared(exercise: &Exercise, record: &[u16]) -> usize {
    exercise.moves.iter().zip(record).take_while(|(one, other)| one == other).count()
}

#[test]
fn a_departure_leaves_a_record_by_a_few_moves() {
    let (record, left) = made_of_a_record(Kind::Departure, 50);
    for exercise in &left {
        assert!(exercise.kind == Kind::Departure && exercise.game().is_some());
        assert!(exercise.moves.len() <= shared(exercise, &record) + 3, "{:?}", exercise.moves);
    }
    let lengths: std::collections::HashSet<usize> = left.iter().map(|exercise| exercise.moves.len()).collect();
    assert!(left.len() > 20 && lengths.len() > 4);
}

#[test]
fn a_line_goes_on_with_a_record_or_beside_it_as_a_search_does() {
    let (record, lines) = made_of_a_record(Kind::Line, 40);
    for exercise in &lines {
        let game = exercise.game().expect("a line is a game");
        assert!(exercise.kind == Kind::Line && !game.is_over());
        // Three moves of a departure at most, eight of the search and six of what it expected.
        assert!(exercise.moves.len() <= shared(exercise, &record) + 17, "{:?}", exercise.moves);
    }
    // Not only what was expected: some moves were looked at and not played.
    let next =
        |at: usize| lines.iter().filter_map(move |line| line.moves.get(at)).collect::<std::collections::HashSet<_>>();
    assert!(lines.len() > 30 && next(7).len() > 4);
}

/// Small boards and nobody who reads, so that this is quick.
const SEED: u64 = 1;
