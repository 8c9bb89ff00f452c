//! A board as an SVG picture: stones, coordinates, whose each point is and how surely.

use std::fmt::Write;

use jigo_board::handicap::star_points;
use jigo_board::{Board, COLUMNS, Color, Point};

/// What is drawn besides the stones.
pub struct BoardPicture<'a> {
    pub board: &'a Board,
    pub title: &'a str,
    pub last_move: Option<Point>,
    /// From -10, White's for sure, to 10, Black's: shades the point and is written on it.
    pub black_value: &'a dyn Fn(Point) -> f32,
    /// These points get a ring.
    pub ringed: &'a [Point],
}

/// Distance of two lines.
const CELL: f32 = 40.0;
/// From the rim to the first line; coordinates stand here.
const MARGIN: f32 = 52.0;
const TITLE_HEIGHT: f32 = 36.0;
const STONE_RADIUS: f32 = 18.5;
/// Shade of a point that is surely somebody's.
const FULL_SHADE: f32 = 0.62;
/// Readable on wood and on both kinds of stones.
const RING: &str = "#d55e00";

const DEFINITIONS: &str = r##"<defs>
<radialGradient id="black" cx="35%" cy="30%" r="75%"><stop offset="0" stop-color="#6a6a6a"/><stop offset="0.45" stop-color="#2b2b2b"/><stop offset="1" stop-color="#0c0c0c"/></radialGradient>
<radialGradient id="white" cx="35%" cy="30%" r="80%"><stop offset="0" stop-color="#ffffff"/><stop offset="0.6" stop-color="#f4f2ec"/><stop offset="1" stop-color="#cfcabd"/></radialGradient>
<linearGradient id="wood" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ecc983"/><stop offset="1" stop-color="#dcb062"/></linearGradient>
</defs>
"##;

impl BoardPicture<'_> {
    pub fn to_svg(&self) -> String {
        let size = self.board.size();
        let width = 2.0 * MARGIN + (size - 1) as f32 * CELL;
        let height = width + TITLE_HEIGHT;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n"
        );
        svg.push_str(DEFINITIONS);
        self.draw(&mut svg).expect("writing to a string cannot fail");
        svg.push_str("</svg>\n");
        svg
    }

    fn draw(&self, svg: &mut String) -> std::fmt::Result {
        let size = self.board.size();
        let side = 2.0 * MARGIN + (size - 1) as f32 * CELL;
        writeln!(svg, "<rect width=\"{side}\" height=\"{}\" fill=\"#ffffff\"/>", side + TITLE_HEIGHT)?;
        // A figure of this font is a little more than half as wide as it is high: a long title is set smaller.
        let font = (1.75 * side / self.title.chars().count() as f32).min(16.0);
        writeln!(svg, "<text x=\"{}\" y=\"25\" font-size=\"{font:.1}\">{}</text>", side / 2.0, escaped(self.title))?;
        let rim = MARGIN - 0.75 * CELL;
        let inner = side - 2.0 * rim;
        writeln!(
            svg,
            "<rect x=\"{rim}\" y=\"{}\" width=\"{inner}\" height=\"{inner}\" rx=\"4\" fill=\"url(#wood)\"/>",
            rim + TITLE_HEIGHT
        )?;
        self.board.points().try_for_each(|point| self.draw_shade(svg, point))?;
        self.draw_lines(svg)?;
        self.draw_coordinates(svg)?;
        self.board.points().try_for_each(|point| self.draw_point(svg, point))?;
        self.ringed.iter().try_for_each(|&point| draw_ring(svg, point))
    }

    /// The square around a point in the colour of its owner, the denser the surer.
    fn draw_shade(&self, svg: &mut String, point: Point) -> std::fmt::Result {
        let value = (self.black_value)(point);
        let shade = FULL_SHADE * (value.abs() / 10.0).min(1.0);
        if shade < 0.02 {
            return Ok(());
        }
        let fill = if value > 0.0 { "#16202c" } else { "#ffffff" };
        let (x, y) = place(point);
        let (left, top) = (x - CELL / 2.0, y - CELL / 2.0);
        writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\" fill-opacity=\"{shade:.2}\"/>"
        )
    }

    fn draw_lines(&self, svg: &mut String) -> std::fmt::Result {
        let last = self.board.size() - 1;
        let ends = |from: Point, to: Point| (place(from), place(to));
        for line in 0..=last {
            let across = ends(Point::new(0, line), Point::new(last, line));
            let down = ends(Point::new(line, 0), Point::new(line, last));
            for ((x1, y1), (x2, y2)) in [across, down] {
                writeln!(svg, "<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"#4a3a1c\" stroke-linecap=\"square\"/>")?;
            }
        }
        for point in star_points(self.board.size()) {
            let (x, y) = place(point);
            writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" fill=\"#4a3a1c\"/>")?;
        }
        Ok(())
    }

    fn draw_coordinates(&self, svg: &mut String) -> std::fmt::Result {
        let size = self.board.size();
        let (near, far) = (12.0, 2.0 * MARGIN + (size - 1) as f32 * CELL - 12.0);
        let mut label = |x: f32, y: f32, text: &str| {
            writeln!(svg, "<text x=\"{x}\" y=\"{}\" font-size=\"13\" fill=\"#555\">{text}</text>", y + 4.5)
        };
        for (line, letter) in COLUMNS.chars().take(size).enumerate() {
            let (x, y) = place(Point::new(line, line));
            for side in [near, far] {
                label(x, side + TITLE_HEIGHT, &letter.to_string())?;
                label(side, y, &(size - line).to_string())?;
            }
        }
        Ok(())
    }

    /// The stone, if there is one, and the value.
    fn draw_point(&self, svg: &mut String, point: Point) -> std::fmt::Result {
        let (x, y) = place(point);
        let stone = self.board.color_at(point);
        if let Some(color) = stone {
            let (cx, cy) = (x + 1.2, y + 1.8);
            writeln!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{STONE_RADIUS}\" fill-opacity=\"0.35\"/>")?;
            writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{STONE_RADIUS}\" fill=\"url(#{color})\"/>")?;
        }
        let value = (self.black_value)(point);
        // A dark square needs light figures as a black stone does.
        let is_dark = stone.map_or(value > 4.0, |color| color == Color::Black);
        let ink = if is_dark { "#f5f5f5" } else { "#1a1a1a" };
        if stone.is_none() {
            let (ground, opacity) = if is_dark { ("#3c3f42", 0.8) } else { ("#f3e3bd", 0.75) };
            writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"11\" fill=\"{ground}\" fill-opacity=\"{opacity}\"/>")?;
        }
        if self.last_move == Some(point) {
            writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"14.5\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.5\"/>"
            )?;
        }
        writeln!(svg, "<text x=\"{x}\" y=\"{}\" font-size=\"12.5\" fill=\"{ink}\">{}</text>", y + 4.5, figure(value))
    }
}

/// A ring around a point that deserves a look.
fn draw_ring(svg: &mut String, point: Point) -> std::fmt::Result {
    let (x, y) = place(point);
    writeln!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{STONE_RADIUS}\" fill=\"none\" stroke=\"{RING}\" stroke-width=\"3\"/>"
    )
}

fn place(point: Point) -> (f32, f32) {
    (MARGIN + point.col() as f32 * CELL, TITLE_HEIGHT + MARGIN + point.row() as f32 * CELL)
}

/// A whole number with a real minus sign, and no negative zero.
fn figure(value: f32) -> String {
    (value.round() as i32).to_string().replace('-', "\u{2212}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_values_and_coordinates_are_drawn() {
        let board = Board::parse_diagram("X . .\n. O .\n. . .").unwrap();
        let value = |point: Point| if point == Point::new(0, 0) { 10.0 } else { -2.6 };
        let ringed = [Point::new(1, 1)];
        let picture = BoardPicture {
            board: &board,
            title: "Black & <White>",
            last_move: Some(Point::new(1, 1)),
            black_value: &value,
            ringed: &ringed,
        };
        let svg = picture.to_svg();
        let count = |part: &str| svg.matches(part).count();
        assert_eq!((count("url(#black)"), count("url(#white)")), (1, 1));
        assert_eq!((count(">10<"), count(">\u{2212}3<")), (1, 8));
        assert_eq!((count(">C<"), count(RING)), (2, 1));
        assert!(svg.contains("Black &amp; &lt;White>"));
        assert_eq!(count("<svg"), 1);
        assert_eq!(count("</svg>"), 1);
    }
}
