//! Changing a tree in place: moves added, variations removed or put first, and nodes named by numbers for other programs.

use jigo_board::{Color, Move};

use crate::coord::{BoardSize, Coord};
use crate::export::move_value;
use crate::tree::{GameTree, Node, NodeId, Property};

impl GameTree {
    /// The node with this [`NodeId::number`], if it is (still) in the tree.
    pub fn find(&self, number: u32) -> Option<NodeId> {
        self.id_of_number(number).filter(|&id| id == self.root_id() || self.parent(id).is_some())
    }

    /// The move of a node, if it has one that is on the board; of several the last.
    pub fn played_at(&self, id: NodeId, size: BoardSize) -> Option<(Color, Option<Coord>)> {
        self.node(id).properties.iter().rev().find_map(|property| {
            let color = move_color(property)?;
            Some((color, size.read_move(property.first())?))
        })
    }

    /// The child of `parent` with this move: the one that is there, or a new last variation.
    pub fn follow_or_add(&mut self, parent: NodeId, size: BoardSize, color: Color, mv: Move) -> NodeId {
        let wanted = mv.point().map(|point| Coord { row: point.row() as u8, col: point.col() as u8 });
        let same = self.children(parent).find(|&child| self.played_at(child, size) == Some((color, wanted)));
        same.unwrap_or_else(|| {
            let child = self.add_child(parent);
            let identifier = if color == Color::Black { "B" } else { "W" };
            self.node_mut(child).set(Property::new(identifier, [move_value(mv)]));
            child
        })
    }

    /// Is `id` the node `above` or somewhere below it?
    pub fn is_within(&self, id: NodeId, above: NodeId) -> bool {
        std::iter::successors(Some(id), |&node| self.parent(node)).any(|node| node == above)
    }

    /// Takes a node and everything below it out of the tree; the root stays. Numbers of other nodes remain what they are.
    pub fn remove_branch(&mut self, id: NodeId) {
        let Some(parent) = self.parent(id) else { return };
        let siblings: Vec<NodeId> = self.children(parent).filter(|&child| child != id).collect();
        let mut below = vec![id];
        while let Some(node) = below.pop() {
            below.extend(self.children(node));
            *self.node_mut(node) = Node::default();
        }
        self.set_children(parent, &siblings);
    }

    /// Puts the line that leads to this node first at every branch on the way.
    pub fn make_main_line(&mut self, id: NodeId) {
        let mut node = id;
        while let Some(parent) = self.parent(node) {
            if self.first_child(parent) != Some(node) {
                let others = self.children(parent).filter(|&child| child != node);
                let reordered: Vec<NodeId> = std::iter::once(node).chain(others).collect();
                self.set_children(parent, &reordered);
            }
            node = parent;
        }
    }
}

impl Node {
    /// Drops all properties of this name.
    pub fn remove(&mut self, identifier: &str) {
        self.properties.retain(|property| property.identifier() != identifier);
    }
}

fn move_color(property: &Property) -> Option<Color> {
    match property.identifier() {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Collection;

    fn tree(text: &str) -> GameTree {
        Collection::from_text(text).unwrap().games.remove(0)
    }

    fn text(tree: &GameTree) -> String {
        Collection { games: vec![tree.clone()] }.to_text().replace("FF[4]CA[UTF-8]GM[1]", "").trim().to_owned()
    }

    const BRANCHED: &str = "(;SZ[9](;B[aa];W[bb](;B[cc])(;B[dd]))(;B[ee];W[]))";

    #[test]
    fn a_move_that_is_there_is_followed_and_another_is_added() {
        let mut tree = tree(BRANCHED);
        let size = BoardSize::square(9);
        let mv = |vertex| Move::parse(vertex, 9).unwrap();
        let known = tree.follow_or_add(tree.root_id(), size, Color::Black, mv("E5"));
        let pass = tree.follow_or_add(known, size, Color::White, Move::Pass);
        assert_eq!(text(&tree), BRANCHED);
        tree.follow_or_add(pass, size, Color::Black, mv("J1"));
        assert_eq!(text(&tree), BRANCHED.replace("W[]", "W[];B[ii]"));
    }

    #[test]
    fn a_removed_branch_leaves_its_siblings_and_the_numbers_alone() {
        let mut tree = tree(BRANCHED);
        let first = tree.first_child(tree.root_id()).unwrap();
        let second = tree.next_sibling(first).unwrap();
        tree.remove_branch(first);
        assert_eq!(text(&tree), "(;SZ[9];B[ee];W[])");
        assert_eq!((tree.find(first.number()), tree.find(second.number())), (None, Some(second)));
        assert_eq!((tree.find(99), tree.node_count()), (None, 3));
        tree.remove_branch(tree.root_id());
        assert_eq!(tree.node_count(), 3);
    }

    #[test]
    fn a_line_made_main_comes_first_everywhere() {
        let mut tree = tree(BRANCHED);
        let last = tree.walk().find(|&id| tree.node(id).simple_text("B").as_deref() == Some("dd")).unwrap();
        tree.make_main_line(last);
        assert_eq!(text(&tree), "(;SZ[9](;B[aa];W[bb](;B[dd])(;B[cc]))(;B[ee];W[]))");
        assert!(tree.is_within(last, tree.root_id()) && !tree.is_within(tree.root_id(), last));
    }
}
