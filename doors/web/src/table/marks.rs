//! Marks of a record at one position: signs, letters, lines and arrows, dimmed points, and territory it shows.

use jigo_board::Point;
use jigo_sgf::{BoardSize, Coord, Node, Property, Value};

use crate::messages::MarksView;

/// A letter or a number; longer texts hide the board.
const LONGEST_LABEL: usize = 8;

/// What the node marks, if anything.
pub fn marks(node: &Node, size: BoardSize) -> Option<MarksView> {
    let lines = usize::from(size.columns);
    let vertex = |coord: Coord| Point::new(coord.col.into(), coord.row.into()).vertex(lines);
    let values = |identifier: &str| -> Vec<Value> {
        let properties = node.properties.iter().filter(|property| property.identifier() == identifier);
        properties.flat_map(Property::values).cloned().collect()
    };
    let points = |identifier: &str| -> Vec<String> {
        let areas = values(identifier).into_iter().filter_map(|value| size.read_area(&value)?);
        areas.flat_map(|area| area.coords()).map(vertex).collect()
    };
    let point = |value: &Value| size.read_move(value).flatten().map(vertex);
    let pairs = |identifier: &str| -> Vec<[String; 2]> {
        let pair = |value: Value| value.split().and_then(|(from, to)| Some([point(&from)?, point(&to)?]));
        values(identifier).into_iter().filter_map(pair).collect()
    };
    let label = |value: Value| {
        let (at, text) = value.split()?;
        let text: String = text.simple_text().chars().take(LONGEST_LABEL).collect();
        Some((point(&at)?, text))
    };
    let view = MarksView {
        triangle: points("TR"),
        square: points("SQ"),
        circle: points("CR"),
        cross: points("MA"),
        selected: points("SL"),
        dim: points("DD"),
        black_territory: points("TB"),
        white_territory: points("TW"),
        label: values("LB").into_iter().filter_map(label).collect(),
        line: pairs("LN"),
        arrow: pairs("AR"),
    };
    (view != MarksView::default()).then_some(view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_sgf::Collection;

    fn read(sgf: &str) -> Option<MarksView> {
        marks(Collection::from_text(sgf).unwrap().games[0].root(), BoardSize::square(9))
    }

    #[test]
    fn signs_letters_and_arrows_are_read_and_nonsense_is_left_out() {
        let view = read("(;SZ[9]TR[aa][zz]LB[ee:A][ff:1][gg]AR[aa:cc][dd]DD[aa:ba]C[words])").unwrap();
        assert_eq!((view.triangle, view.dim), (vec!["A9".to_owned()], vec!["A9".to_owned(), "B9".to_owned()]));
        assert_eq!(view.arrow, [["A9".to_owned(), "C7".to_owned()]]);
        let labels: Vec<(&str, &str)> = view.label.iter().map(|(at, text)| (at.as_str(), text.as_str())).collect();
        assert_eq!(labels, [("E5", "A"), ("F4", "1")]);
        assert_eq!(read("(;SZ[9]C[no marks])"), None);
    }
}
