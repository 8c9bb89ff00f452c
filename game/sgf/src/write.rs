//! From trees to text.
//!
//! FF, CA and GM[1] say how the file is made and not what the game is. The parser takes them off the root and the
//! writer puts its own there, so that they are always true.

use std::fmt::Write;

use crate::tree::{Collection, GameTree, NodeId, Property};

/// After a node that passes this column the line is broken: short enough to read and to send by mail.
const LINE_LENGTH: usize = 72;

/// Whether a property of a root belongs to the file rather than to the game. Games other than Go keep their GM.
pub(crate) fn is_file_header(property: &Property) -> bool {
    match property.identifier() {
        "FF" | "CA" => true,
        "GM" => property.values().len() == 1 && property.first().raw().trim() == "1",
        _ => false,
    }
}

pub(crate) fn collection(collection: &Collection) -> String {
    let mut out = String::new();
    for tree in &collection.games {
        game(tree, &mut out);
    }
    out
}

fn game(tree: &GameTree, out: &mut String) {
    let is_branch = |id: NodeId| {
        tree.parent(id)
            .and_then(|parent| tree.first_child(parent))
            .is_some_and(|first| tree.next_sibling(first).is_some())
    };
    let mut line_start = out.len();
    let mut next = Some(tree.root_id());
    out.push('(');
    while let Some(id) = next {
        if out.len() - line_start > LINE_LENGTH {
            out.push('\n');
            line_start = out.len();
        }
        if is_branch(id) {
            out.push('(');
        }
        node(tree, id, out);
        next = tree.first_child(id);
        let mut done = id;
        while next.is_none() {
            if is_branch(done) {
                out.push(')');
            }
            next = tree.next_sibling(done);
            match tree.parent(done) {
                Some(parent) => done = parent,
                None => break,
            }
        }
    }
    out.push_str(")\n");
}

fn node(tree: &GameTree, id: NodeId, out: &mut String) {
    out.push(';');
    let is_root = id == tree.root_id();
    let properties = &tree.node(id).properties;
    if is_root {
        out.push_str("FF[4]CA[UTF-8]");
        let is_other_game = |other: &Property| other.identifier() == "GM" && !is_file_header(other);
        if !properties.iter().any(is_other_game) {
            out.push_str("GM[1]");
        }
    }
    for property in properties {
        if is_root && is_file_header(property) {
            continue;
        }
        out.push_str(property.identifier());
        for value in property.values() {
            write!(out, "{value}").expect("a string takes all that is written to it");
        }
    }
}
