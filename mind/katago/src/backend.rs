//! A KataGo net as one of the nets that a search can ask.

use std::sync::Arc;

use jigo_board::{Color, Game, Move, Point, Rng, Rules};
use jigo_net::kernel::points::Kernel;
use jigo_net::{AtKomi, Backend, Evaluate, Evaluation, Forecast, Told, Value, View};
use jigo_tactics::Reader;

use crate::inputs::profile::Profile;
use crate::inputs::{self, Course};
use crate::model::{Model, Multipliers};
use crate::outputs::{Answer, Asked, RawOutput, Scale};
use crate::run::{Net, Workspace};
use crate::tensors::Turn;
use crate::{Inputs, ReadError};

/// A net file in memory, ready to run.
pub struct KataNet {
    name: String,
    version: u32,
    multipliers: Multipliers,
    area_with_suicide: bool,
    net: Arc<Net>,
    digest: u64,
    numbers: usize,
    /// Whom to play like; only nets with a metadata encoder can.
    profile: Option<Profile>,
}

/// What a net for human play is asked for if nobody says whose style it should have: its strongest player.
const USUAL_PROFILE: &str = "rank_9d";

impl KataNet {
    /// Reads a net file.
    pub fn read(file: &[u8]) -> Result<KataNet, ReadError> {
        Ok(KataNet::new(&Model::read(file)?, Kernel::best()))
    }

    pub fn new(model: &Model, kernel: Kernel) -> KataNet {
        let has_players = model.trunk.metadata.is_some();
        KataNet {
            name: model.name.clone(),
            version: model.version,
            multipliers: model.multipliers,
            area_with_suicide: model.area_with_suicide,
            net: Arc::new(Net::with_kernel(model, kernel)),
            digest: digest(model),
            numbers: model.numbers(),
            profile: has_players.then(|| USUAL_PROFILE.parse().expect("a test parses it")),
        }
    }

    /// The name inside the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn version(&self) -> u32 {
        self.version
    }

    /// How its products are computed.
    pub fn kernel(&self) -> Kernel {
        self.net.kernel()
    }

    /// How many numbers its file holds.
    pub fn numbers(&self) -> usize {
        self.numbers
    }

    /// The same net playing like somebody else; without a metadata encoder it does not listen.
    pub fn with_profile(&self, profile: Profile) -> KataNet {
        let profile = self.profile.as_ref().map(|_| profile);
        KataNet { profile, name: self.name.clone(), net: Arc::clone(&self.net), ..*self }
    }

    /// Whose style it plays in, if it is a net for human play.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    fn scale(&self) -> Scale<'_> {
        Scale { version: self.version, multipliers: &self.multipliers }
    }
}

fn digest(model: &Model) -> u64 {
    let stem = model.trunk.stem.weights.iter();
    let numbers = stem.chain(&model.value.dense.matmul.weights).chain(&model.policy.conv.weights);
    numbers.fold(model.version.into(), |hash, number| Rng::new(hash ^ u64::from(number.to_bits())).next_u64())
}

impl Backend for KataNet {
    fn evaluator(self: Arc<KataNet>) -> Box<dyn Evaluate> {
        Box::new(KataEvaluator {
            net: self,
            reader: Reader::new(),
            workspace: Workspace::default(),
            root: None,
            last: None,
            spare: Vec::new(),
        })
    }

    fn judges_alone(&self) -> bool {
        true
    }

    fn description(&self) -> String {
        let profile = self.profile.as_ref().map(|profile| format!(", playing like {profile}")).unwrap_or_default();
        format!("KataGo's {} (version {}){profile}", self.name, self.version)
    }

    fn digest(&self) -> u64 {
        self.digest
    }
}

/// One thread's way to a net.
struct KataEvaluator {
    net: Arc<KataNet>,
    reader: Reader,
    workspace: Workspace,
    /// The course of the game that was asked about last: a search asks about one game all the time.
    root: Option<(Arc<Game>, Box<Course>)>,
    /// The course that was asked for last: the cache wants its fingerprint first, and then often the net its inputs.
    last: Option<(Question, Box<Course>)>,
    /// Memory of courses that are done with: three boards are large, and in the way of a net's filters.
    spare: Vec<Box<Course>>,
}

/// What decides the course that leads to a leaf.
struct Question {
    game: Arc<Game>,
    moves: Vec<Move>,
    komi: f32,
    to_move: Color,
}

impl KataEvaluator {
    /// The game that leads to a position, as far as it is told. Boxed, since three boards are large and it changes hands at every look.
    fn course(&mut self, view: &View<'_>) -> Box<Course> {
        let (board, to_move) = (view.position.board, view.position.to_move);
        let Some(Told { game, moves, komi, .. }) = view.told else {
            let rules = Rules::default();
            return Box::new(Course::new(rules, rules.default_komi, board, to_move));
        };
        let is_same = |asked: &Question| {
            Arc::ptr_eq(&asked.game, game) && asked.moves == moves && (asked.komi, asked.to_move) == (komi, to_move)
        };
        if let Some((_, course)) = self.last.take_if(|(asked, _)| is_same(asked)) {
            return course;
        }
        let known = self.root.take().filter(|(known, _)| Arc::ptr_eq(known, game));
        let root = known.unwrap_or_else(|| (Arc::clone(game), Box::new(Course::of_game(game))));
        let root = &self.root.insert(root).1;
        let mut course = match self.spare.pop() {
            Some(mut course) => {
                course.copy_from(root);
                course
            }
            None => root.clone(),
        };
        // The first move of a search may be made by the other side: to find what happens if one passed.
        let first = if moves.len() % 2 == 0 { to_move } else { to_move.opponent() };
        let mut color = first;
        for &mv in moves {
            course.play(color, mv);
            color = color.opponent();
        }
        course.turn_to(to_move);
        course.imagine_komi(komi - game.effective_komi());
        course
    }

    fn inputs(&mut self, course: &Course, view: &View<'_>) -> Inputs {
        let asked = view.told.map_or(jigo_net::Manner::PLAIN, |told| told.manner);
        let manner = inputs::InputOptions {
            conservative_pass: asked.conservative_pass,
            passing_hacks: asked.wary_pass,
            area_with_suicide: self.net.area_with_suicide,
            ..inputs::InputOptions::default()
        };
        inputs::write(course, &manner, self.net.profile.as_ref(), &mut self.reader)
    }
}

impl Evaluate for KataEvaluator {
    fn evaluate_batch(&mut self, views: &[View<'_>]) -> Vec<Evaluation> {
        let courses: Vec<Box<Course>> = views.iter().map(|view| self.course(view)).collect();
        let inputs: Vec<Inputs> = courses
            .iter()
            .zip(views)
            .map(|(course, view)| self.inputs(course, view).turned(view.symmetry.into()))
            .collect();
        let outputs = self.net.net.run(&inputs, &mut self.workspace);
        let all = courses.iter().zip(views).zip(&outputs);
        let evaluations = all.map(|((course, view), raw)| evaluation(&self.net, course, view, raw)).collect();
        self.spare.extend(courses);
        evaluations
    }

    fn fingerprint(&mut self, view: &View<'_>) -> u64 {
        let course = self.course(view);
        let manner = view.told.map_or(jigo_net::Manner::PLAIN, |told| told.manner);
        let asked = [
            u64::from(manner.optimism.to_bits()),
            u64::from(manner.conservative_pass) + 2 * u64::from(manner.wary_pass),
            view.told.map_or(0, |told| told.komi.to_bits().into()),
            self.net.digest,
            self.net.profile.as_ref().map_or(0, Profile::fingerprint),
        ];
        let fingerprint = asked.into_iter().fold(course.fingerprint(), |hash, part| Rng::new(hash ^ part).next_u64());
        let before = match view.told {
            Some(told) => {
                let (game, moves) = (Arc::clone(told.game), told.moves.to_vec());
                self.last.replace((Question { game, moves, komi: told.komi, to_move: view.position.to_move }, course))
            }
            None => self.last.take(),
        };
        self.spare.extend(before.map(|(_, course)| course));
        fingerprint
    }
}

fn evaluation(net: &KataNet, course: &Course, view: &View<'_>, raw: &RawOutput) -> Evaluation {
    let (board, me) = (course.board(), course.to_move());
    let size = board.size();
    let turn = Turn::from(view.symmetry);
    let seen = |point: Point| {
        let (x, y) = turn.place(point.col(), point.row(), size, size);
        y * size + x
    };
    let legal: Vec<Point> = course.legal_points().iter().collect();
    let places: Vec<usize> = legal.iter().map(|&point| seen(point)).collect();
    let manner = view.told.map_or(jigo_net::Manner::PLAIN, |told| told.manner);
    let asked = Asked {
        legal: &places,
        no_result_possible: course.can_have_no_result(),
        optimism: if net.profile.is_some() { 0.0 } else { manner.optimism },
        temperature: 1.0,
        limit_pass: manner.wary_pass,
    };
    let answer = Answer::new(net.scale(), raw, &asked);
    let mut policy = vec![0.0; size * size + 1];
    for (point, &probability) in legal.iter().zip(&answer.policy) {
        policy[point.row() * size + point.col()] = probability;
    }
    policy[size * size] = answer.pass;
    let sign = if me == Color::Black { 1.0 } else { -1.0 };
    let ownership = board.points().map(|point| sign * answer.ownership[seen(point)]).collect();
    let forecast = forecast(&answer, me);
    let komi = view.told.map_or(course.white_komi(), |told| told.komi);
    Evaluation::from_parts(size, policy, value(&forecast, komi), ownership, forecast)
}

/// What the side to move hears, told of Black.
fn forecast(answer: &Answer, me: Color) -> Forecast {
    let (sign, black_win, white_win) =
        if me == Color::Black { (1.0, answer.win, answer.loss) } else { (-1.0, answer.loss, answer.win) };
    Forecast {
        black_win,
        white_win,
        no_result: answer.no_result,
        black_lead: sign * answer.lead,
        black_score: sign * answer.score_mean,
        score_square: answer.score_square,
        later: answer.later,
    }
}

/// A game without a result counts half.
fn value(forecast: &Forecast, komi: f32) -> Value {
    let variance = forecast.score_square - forecast.black_score * forecast.black_score;
    Value::AtKomi(AtKomi {
        komi,
        black_rate: forecast.black_win + forecast.no_result / 2.0,
        fair_komi: komi + forecast.black_lead,
        spread: variance.max(0.0).sqrt(),
    })
}
