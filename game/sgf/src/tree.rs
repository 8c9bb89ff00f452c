//! The arena: games as nodes that refer to each other by number.
//!
//! Each node knows its parent, its first and last child and its next sibling. Every walk is a loop along these links,
//! so a tree may be as deep as memory allows, and it is dropped like any vector.

use std::iter::successors;
use std::num::NonZeroU32;

use crate::charset;
use crate::location::Location;
use crate::parse::{self, SyntaxError};
use crate::value::Value;
use crate::write;

/// All games of one file, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    pub games: Vec<GameTree>,
}

impl Collection {
    /// Reads a file in whatever charset it has; at least one game must be there.
    pub fn from_bytes(bytes: &[u8]) -> Result<Collection, SyntaxError> {
        Collection::from_text(&charset::decode(bytes).text)
    }

    /// Reads text that has been decoded already; at least one game must be there.
    pub fn from_text(text: &str) -> Result<Collection, SyntaxError> {
        parse::collection(text)
    }

    /// Reads decoded text as far as it goes: what stands before the first error, which comes along. At least the root of a game must
    /// be there.
    pub fn salvage(text: &str) -> Result<(Collection, Option<SyntaxError>), SyntaxError> {
        parse::salvage(text)
    }

    /// The file as FF[4] text, to be stored as UTF-8. Reading it gives this collection again.
    pub fn to_text(&self) -> String {
        write::collection(self)
    }
}

/// One game with all its variations. There is always a root.
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<Node>,
}

/// A node of the game tree that gave it out; other trees may not have that node and then panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// Stored one higher, so that no node at all takes no room either.
    fn numbered(number: u32) -> NodeId {
        NodeId(NonZeroU32::MIN.saturating_add(number))
    }

    /// A number for this node that stays the same as long as the tree lives; a file read again has others.
    pub fn number(self) -> u32 {
        self.0.get() - 1
    }

    fn index(self) -> usize {
        self.number() as usize
    }
}

/// What stands between two semicolons, and its place in the tree.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub properties: Vec<Property>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

/// An identifier and its values; there is always at least one value.
#[derive(Clone, Debug)]
pub struct Property {
    identifier: Box<str>,
    values: Box<[Value]>,
    place: Option<Location>,
}

impl GameTree {
    /// A game of one empty node.
    pub fn new() -> GameTree {
        GameTree { nodes: vec![Node::default()] }
    }

    pub fn root_id(&self) -> NodeId {
        NodeId::numbered(0)
    }

    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    pub fn root_mut(&mut self) -> &mut Node {
        &mut self.nodes[0]
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub fn node_count(&self) -> usize {
        self.walk().count()
    }

    /// The node with this number, even if it was taken out of the tree.
    pub(crate) fn id_of_number(&self, number: u32) -> Option<NodeId> {
        ((number as usize) < self.nodes.len()).then_some(NodeId::numbered(number))
    }

    /// Gives `parent` these children, in this order, instead of those it had.
    pub(crate) fn set_children(&mut self, parent: NodeId, children: &[NodeId]) {
        for (index, child) in children.iter().enumerate() {
            self.nodes[child.index()].parent = Some(parent);
            self.nodes[child.index()].next_sibling = children.get(index + 1).copied();
        }
        self.nodes[parent.index()].first_child = children.first().copied();
        self.nodes[parent.index()].last_child = children.last().copied();
    }

    /// Adds an empty node as the last child, that is the last variation, of `parent`.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let count = u32::try_from(self.nodes.len()).expect("a tree has fewer than 2^32 nodes");
        let child = NodeId::numbered(count);
        self.nodes.push(Node { parent: Some(parent), ..Node::default() });
        match self.nodes[parent.index()].last_child.replace(child) {
            Some(elder) => self.nodes[elder.index()].next_sibling = Some(child),
            None => self.nodes[parent.index()].first_child = Some(child),
        }
        child
    }

    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first_child
    }

    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next_sibling
    }

    /// The node's children, main variation first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        successors(self.first_child(id), |&child| self.next_sibling(child))
    }

    /// The root and the first child of each node after it.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        successors(Some(self.root_id()), |&id| self.first_child(id))
    }

    /// All nodes, each before its children, main variations first: the order of a file.
    pub fn walk(&self) -> impl Iterator<Item = NodeId> + '_ {
        successors(Some(self.root_id()), |&id| {
            self.first_child(id).or_else(|| {
                successors(Some(id), |&above| self.parent(above)).find_map(|above| self.next_sibling(above))
            })
        })
    }
}

impl Default for GameTree {
    fn default() -> GameTree {
        GameTree::new()
    }
}

/// Trees are equal when they read the same, in whatever order their nodes were added.
impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        // The order of a file together with the number of children of each node determines the shape.
        let reading = |tree: &GameTree| tree.walk().map(|id| tree.children(id).count()).collect::<Vec<_>>();
        reading(self) == reading(other)
            && self
                .walk()
                .zip(other.walk())
                .all(|(mine, theirs)| self.node(mine).properties == other.node(theirs).properties)
    }
}

impl Eq for GameTree {}

impl Node {
    /// The first property of that name: the only one in a correct file, but real files repeat AB and the like.
    pub fn property(&self, identifier: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.identifier() == identifier)
    }

    /// The first value of the property, as Text.
    pub fn text(&self, identifier: &str) -> Option<String> {
        Some(self.property(identifier)?.first().text())
    }

    /// The first value of the property, as SimpleText.
    pub fn simple_text(&self, identifier: &str) -> Option<String> {
        Some(self.property(identifier)?.first().simple_text())
    }

    /// Gives the property one value that reads as `text`, in place of all it had.
    pub fn set_text(&mut self, identifier: &str, text: &str) {
        self.set(Property::new(identifier, [Value::from_text(text)]));
    }

    /// Puts the property where the first of its name was, or at the end, and drops all others of its name.
    pub fn set(&mut self, property: Property) {
        let named = |other: &Property| other.identifier == property.identifier;
        match self.properties.iter().position(named) {
            Some(index) => {
                let mut position = 0;
                self.properties.retain(|other| {
                    position += 1;
                    position == index + 1 || !named(other)
                });
                self.properties[index] = property;
            }
            None => self.properties.push(property),
        }
    }
}

impl Property {
    /// A property for the writer; without a value it gets an empty one, as the format demands.
    ///
    /// # Panics
    /// If the identifier is not made of capital ASCII letters and digits: identifiers are written in code.
    pub fn new(identifier: &str, values: impl IntoIterator<Item = Value>) -> Property {
        let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        assert!(
            !identifier.is_empty() && identifier.bytes().all(is_capital),
            "{identifier:?} is no SGF property identifier"
        );
        let mut values: Vec<Value> = values.into_iter().collect();
        if values.is_empty() {
            values.push(Value::default());
        }
        Property { identifier: identifier.into(), values: values.into(), place: None }
    }

    /// There is at least one value.
    pub(crate) fn parsed(identifier: String, values: Vec<Value>, place: Location) -> Property {
        Property { identifier: identifier.into(), values: values.into(), place: Some(place) }
    }

    pub fn identifier(&self) -> &str {
        &self.identifier
    }

    pub fn values(&self) -> &[Value] {
        &self.values
    }

    pub fn first(&self) -> &Value {
        &self.values[0]
    }

    /// Where the property stood, if it was read from a file.
    pub fn place(&self) -> Option<Location> {
        self.place
    }
}

/// Where a property stood is not part of what it says.
impl PartialEq for Property {
    fn eq(&self, other: &Property) -> bool {
        self.identifier == other.identifier && self.values == other.values
    }
}

impl Eq for Property {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_built_in_any_order_are_equal() {
        let mut one = GameTree::new();
        let first = one.add_child(one.root_id());
        let second = one.add_child(one.root_id());
        let under_first = one.add_child(first);
        one.node_mut(under_first).set_text("C", "deep");
        one.node_mut(second).set_text("C", "wide");

        let mut other = GameTree::new();
        let first = other.add_child(other.root_id());
        let under_first = other.add_child(first);
        let second = other.add_child(other.root_id());
        other.node_mut(second).set_text("C", "wide");
        other.node_mut(under_first).set_text("C", "deep");
        assert_eq!(one, other);

        other.node_mut(second).set_text("C", "changed");
        assert_ne!(one, other);
    }

    #[test]
    fn the_same_nodes_in_another_shape_are_another_tree() {
        let mut chain = GameTree::new();
        let child = chain.add_child(chain.root_id());
        chain.add_child(child);
        let mut fork = GameTree::new();
        fork.add_child(fork.root_id());
        fork.add_child(fork.root_id());
        assert_ne!(chain, fork);
    }

    #[test]
    fn setting_a_property_replaces_all_of_its_name_in_place() {
        let mut node = Node::default();
        for (identifier, text) in [("PL", "B"), ("C", "one"), ("N", "name"), ("C", "two")] {
            node.properties.push(Property::new(identifier, [Value::from_text(text)]));
        }
        node.set_text("C", "three");
        let reading: Vec<_> = node.properties.iter().map(Property::identifier).collect();
        assert_eq!(reading, ["PL", "C", "N"]);
        assert_eq!(node.text("C").as_deref(), Some("three"));
    }
}
