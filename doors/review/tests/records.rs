//! From a record to its review and back into the record and onto a page.

use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use jigo_board::{Game, Move, Point, Rules};
use jigo_engine::{Engine, StopFlag};
use jigo_review::{Candidate, Opinion, Review, Subject, Task, annotate, examine, page};
use jigo_search::{Parameters, TreeSearcher};
use jigo_sgf::{Collection, GameTree};

/// Black's second move loses seven points; C6 was better.
const RECORD: &str = "(;SZ[9]KM[6.5]RU[Japanese]PB[A <b>]PW[B & C]ZZ[kept][twice]C[mine]\
                      ;B[ee]QQ[kept];W[ce]C[human];B[aa];W[ge](;B[gd])(;B[gf]C[other branch]))";

fn tree() -> GameTree {
    Collection::from_text(RECORD).unwrap().games.remove(0)
}

fn opinion(black_lead: f32, variation: &[(usize, usize)]) -> Opinion {
    let variation: Vec<Move> = variation.iter().map(|&(col, row)| Move::Play(Point::new(col, row))).collect();
    let candidate = Candidate { visits: 90, black_win_rate: 0.6, black_lead, policy: 0.4, variation };
    Opinion {
        visits: 100,
        black_win_rate: 0.5 + black_lead / 100.0,
        black_lead,
        candidates: vec![candidate],
        black_ownership: vec![0.25; 81],
        policy: vec![1.0 / 82.0; 82],
    }
}

fn review_of(subject: &Subject) -> Review {
    let leads = [0.0, 0.2, 0.1, -6.9, -6.8, -7.0];
    let best =
        [[(4, 4), (2, 4)], [(2, 4), (2, 3)], [(2, 3), (1, 3)], [(6, 4), (6, 3)], [(6, 3), (7, 3)], [(5, 5), (5, 6)]];
    let opinions = leads.iter().zip(best).map(|(&lead, best)| opinion(lead, &best)).collect();
    Review::new(subject, opinions).unwrap()
}

fn annotated() -> GameTree {
    let mut tree = tree();
    let subject = Subject::main_line(&tree, Rules::default()).unwrap();
    let review = review_of(&subject);
    annotate(&mut tree, &subject, &review);
    tree
}

#[test]
fn what_was_in_the_record_is_still_there() {
    let text = Collection { games: vec![annotated()] }.to_text();
    for kept in ["ZZ[kept][twice]", "QQ[kept]", "C[other branch]", "PB[A <b>]"] {
        assert!(text.contains(kept), "{kept} in {text}");
    }
    let again = Collection::from_text(&text).unwrap();
    assert_eq!(again.games[0], annotated(), "what is written reads back");
}

#[test]
fn moves_carry_their_numbers_marks_and_words() {
    let tree = annotated();
    let line: Vec<_> = tree.main_line().map(|id| tree.node(id)).collect();
    assert_eq!(line[0].text("KTV").as_deref(), Some("1.0"));
    assert_eq!(line[3].text("SBKS").as_deref(), Some("-6.90"));
    assert_eq!(line[3].text("SBKV").as_deref(), Some("43.10"));
    assert_eq!(line[3].text("BM").as_deref(), Some("2"), "seven points are a blunder");
    assert!(line[2].property("BM").is_none());
    let comment = line[3].text("C").unwrap();
    assert!(comment.starts_with("[Jigo] Move 3, Black A9 loses 7.0 points: a blunder. Best was C6"), "{comment}");
    let beside_human = line[2].text("C").unwrap();
    assert!(beside_human.starts_with("human\n\n[Jigo] Move 2, White C5, is the best move."), "{beside_human}");
}

#[test]
fn a_better_variation_is_a_branch_behind_the_game() {
    let tree = annotated();
    let before: Vec<_> = tree.main_line().collect();
    let children: Vec<_> = tree.children(before[2]).collect();
    assert_eq!(children.len(), 2);
    assert_eq!(children[0], before[3], "the game stays the main line");
    let branch = tree.node(children[1]);
    assert_eq!((branch.text("B").as_deref(), branch.text("N").as_deref()), (Some("cd"), Some("Jigo")));
    let next = tree.first_child(children[1]).unwrap();
    assert_eq!(tree.node(next).text("W").as_deref(), Some("bd"));
}

#[test]
fn annotating_again_changes_nothing() {
    let mut again = annotated();
    let subject = Subject::main_line(&again, Rules::default()).unwrap();
    let review = review_of(&subject);
    annotate(&mut again, &subject, &review);
    assert_eq!(Collection { games: vec![again] }.to_text(), Collection { games: vec![annotated()] }.to_text());
}

#[test]
fn katrain_finds_ownership_policy_and_candidates() {
    let tree = annotated();
    let node = tree.main_line().nth(3).unwrap();
    let parts: Vec<Vec<u8>> = tree
        .node(node)
        .property("KT")
        .unwrap()
        .values()
        .iter()
        .map(|value| {
            let packed = STANDARD.decode(value.text()).unwrap();
            let mut bytes = Vec::new();
            GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
            bytes
        })
        .collect();
    assert_eq!((parts[0].len(), parts[1].len()), (2 * 81, 2 * 82));
    assert_eq!(parts[0][..2], half::f16::from_f32(0.25).to_le_bytes());
    let main: serde_json::Value = serde_json::from_slice(&parts[2]).unwrap();
    assert_eq!(main["root"]["visits"], 100);
    assert_eq!(main["moves"]["G5"]["pv"], serde_json::json!(["G5", "G6"]));
}

#[test]
fn the_page_shows_the_turning_point_and_escapes_names() {
    let subject = Subject::main_line(&tree(), Rules::default()).unwrap();
    let page = page(&subject, &review_of(&subject), "by <me>");
    for part in ["A &lt;b&gt; – B &amp; C", "id=\"move-3\"", "blunder · −7.0", "by &lt;me&gt;", "komi 6.5"] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("class=\"board\"").count(), 1, "one move lost three points or more");
    assert!(!page.contains("src=") && !page.contains("href="), "the page needs nothing else");
}

#[test]
fn a_page_about_a_faultless_game_says_so() {
    let subject = Subject::main_line(&tree(), Rules::default()).unwrap();
    let mut review = review_of(&subject);
    review.opinions.iter_mut().for_each(|opinion| opinion.black_lead = 0.0);
    assert!(page(&subject, &review, "").contains("No move lost three points"));
    assert_eq!(review.mistake(3), None);
}

#[test]
fn records_that_are_no_games_are_refused() {
    let refuse = |text: &str| {
        let tree = Collection::from_text(text).unwrap().games.remove(0);
        Subject::main_line(&tree, Rules::default()).err().map(|error| error.to_string())
    };
    assert_eq!(refuse("(;SZ[9])").as_deref(), Some("the record has no moves"));
    assert!(refuse("(;SZ[9];B[aa];W[aa])").unwrap().contains("move 2, white A9, is illegal"));
    assert!(refuse("(;SZ[25];B[aa])").unwrap().contains("not supported"));
}

fn engine() -> Engine {
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = 8;
    let searcher = TreeSearcher::new(parameters, None, 1, 1);
    Engine::new(Game::new(9, Rules::default()), Box::new(searcher), 1)
}

#[test]
fn unknown_positions_are_examined_by_all_engines() {
    let subject = Subject::main_line(&tree(), Rules::default()).unwrap();
    let mut engines = [engine(), engine()];
    let task = Task { games: &subject.games, is_known: &|number| number == 2, visits: 20, stop: &StopFlag::default() };
    let mut told = Vec::new();
    let result = examine(&task, &mut engines, &mut |number, opinion| {
        assert!(opinion.visits >= 20 && opinion.black_ownership.len() == 81 && opinion.policy.len() == 82);
        assert!(!opinion.candidates.is_empty() && (0.0..=1.0).contains(&opinion.black_win_rate));
        told.push(number);
        Ok::<(), ()>(())
    });
    told.sort_unstable();
    assert_eq!((result, told), (Ok(()), vec![0, 1, 3, 4, 5]));
}

#[test]
fn opinions_do_not_depend_on_how_the_work_was_shared_or_interrupted() {
    let subject = Subject::main_line(&tree(), Rules::default()).unwrap();
    let opinions = |engines: &mut [Engine], known: usize| {
        let task =
            Task { games: &subject.games, is_known: &|number| number < known, visits: 20, stop: &StopFlag::default() };
        let mut told = Vec::new();
        examine(&task, engines, &mut |number, opinion| {
            told.push((number, opinion));
            Ok::<(), ()>(())
        })
        .unwrap();
        told.sort_by_key(|(number, _)| *number);
        told
    };
    let alone = opinions(&mut [engine()], 0);
    assert_eq!(opinions(&mut [engine(), engine()], 0), alone);
    assert_eq!(opinions(&mut [engine()], 3), alone[3..]);
}

#[test]
fn an_error_of_the_listener_ends_the_examination() {
    let subject = Subject::main_line(&tree(), Rules::default()).unwrap();
    let task = Task { games: &subject.games, is_known: &|_| false, visits: 20, stop: &StopFlag::default() };
    assert_eq!(examine(&task, &mut [engine()], &mut |_, _| Err("disk full")), Err("disk full"));
}
