//! The record with what the review found: for people in comments and branches, for Sabaki in SBKV and SBKS, for KaTrain
//! in KT. Everything else in the record stays; comments and branches of an earlier review give way to this one's.

use jigo_board::Color;
use jigo_engine::Mistake;
use jigo_sgf::{BoardSize, GameTree, NodeId, Property, Value};

use crate::katrain;
use crate::review::{Opinion, Review};
use crate::subject::Subject;
use crate::words;

/// Begins our part of a comment.
const SIGNATURE: &str = "[Jigo]";
/// The name of the first node of our branches.
const BRANCH_NAME: &str = "Jigo";

/// Writes the review into the tree that the subject was read from.
pub fn annotate(tree: &mut GameTree, subject: &Subject, review: &Review) {
    let size = BoardSize::square(review.size as u8);
    let root = tree.root_id();
    tree.root_mut().set_text("KTV", katrain::VERSION);
    write_opinion(tree, root, &review.opinions[0], review.size);
    let starting = format!("Before the first move: {}", words::about_position(&review.opinions[0]));
    write_comment(tree, root, &format!("{}\n{starting}", summary(review)));

    for (index, &(color, _, node)) in subject.moves.iter().enumerate() {
        let number = index + 1;
        let opinion = &review.opinions[number];
        write_opinion(tree, node, opinion, review.size);
        let said = format!("{}\n{}", words::about_move(review, number), words::about_position(opinion));
        write_comment(tree, node, &said);
        if let Some(mistake) = review.mistake(number) {
            write_mark(tree, node, mistake);
        }
        if let Some(parent) = tree.parent(node) {
            remove_branches(tree, parent);
            if review.points_lost(number) >= words::LEAST_WORTH_TELLING {
                write_branch(tree, parent, size, color, review, number);
            }
        }
    }
}

/// Sabaki's win rate is Black's in percent, its score Black's lead.
fn write_opinion(tree: &mut GameTree, node: NodeId, opinion: &Opinion, size: usize) {
    let node = tree.node_mut(node);
    node.set_text("SBKV", &format!("{:.2}", opinion.black_win_rate * 100.0));
    node.set_text("SBKS", &format!("{:.2}", opinion.black_lead));
    node.set(katrain::property(opinion, size));
}

/// What somebody else wrote stays above our part.
fn write_comment(tree: &mut GameTree, node: NodeId, said: &str) {
    let node = tree.node_mut(node);
    let written = node.text("C").unwrap_or_default();
    let others = written.split(SIGNATURE).next().unwrap_or_default().trim_end();
    let gap = if others.is_empty() { "" } else { "\n\n" };
    node.set_text("C", &format!("{others}{gap}{SIGNATURE} {said}"));
}

/// SGF knows bad moves, very bad ones and doubtful ones. A judgement that somebody else made is left alone: a node may
/// have one only.
fn write_mark(tree: &mut GameTree, node: NodeId, mistake: Mistake) {
    let node = tree.node_mut(node);
    if ["BM", "DO", "IT", "TE"].iter().any(|judgement| node.property(judgement).is_some()) {
        return;
    }
    match mistake {
        Mistake::Blunder => node.set_text("BM", "2"),
        Mistake::Mistake => node.set_text("BM", "1"),
        Mistake::Inaccuracy => node.set(Property::new("DO", [Value::default()])),
    }
}

fn remove_branches(tree: &mut GameTree, parent: NodeId) {
    let is_ours = |tree: &GameTree, child: NodeId| tree.node(child).simple_text("N").as_deref() == Some(BRANCH_NAME);
    let ours: Vec<NodeId> = tree.children(parent).skip(1).filter(|&child| is_ours(tree, child)).collect();
    ours.into_iter().for_each(|child| tree.remove_branch(child));
}

/// The best move instead of move `number`, with what is expected to follow. If the record has that branch, it is left alone.
fn write_branch(tree: &mut GameTree, parent: NodeId, size: BoardSize, color: Color, review: &Review, number: usize) {
    let Some(best) = review.opinions[number - 1].best() else { return };
    let nodes_before = tree.node_count();
    let first = tree.follow_or_add(parent, size, color, best.mv());
    if tree.node_count() == nodes_before {
        return;
    }
    let lead = words::lead(best.black_lead);
    let said = format!("{SIGNATURE} Better than move {number}: {}, {lead}.", words::chances(best.black_win_rate));
    tree.node_mut(first).set_text("N", BRANCH_NAME);
    tree.node_mut(first).set_text("C", &said);
    let (mut node, mut mover) = (first, color);
    for &mv in &best.variation[1..] {
        mover = mover.opponent();
        node = tree.follow_or_add(node, size, mover, mv);
    }
}

fn summary(review: &Review) -> String {
    let lines = Color::BOTH.map(|color| {
        let summary = review.summary(color);
        let counts = Mistake::ALL.into_iter().zip(summary.mistakes).rev();
        let counts: Vec<String> = counts.map(|(mistake, count)| format!("{} {count}", mistake.name())).collect();
        let mean_loss = words::points(summary.performance.mean_loss().unwrap_or_default());
        format!("{}: {mean_loss} lost per move; {}.", words::name(color), counts.join(", "))
    });
    lines.join("\n")
}
