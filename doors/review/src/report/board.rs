//! A board as SVG in the page: the position, the move that was made, and a better variation numbered on it.

use std::fmt::{Result, Write};

use jigo_board::handicap::star_points;
use jigo_board::{Board, COLUMNS, Color, Move, Point};

/// Lines are one apart; coordinates need this much room outside them.
const MARGIN: f32 = 1.15;
const RADIUS: f32 = 0.47;
/// Stones that are not there.
const GHOST: f32 = 0.82;

pub struct BoardPicture<'a> {
    pub board: &'a Board,
    pub last: Option<Point>,
    pub played: Option<(Color, Point)>,
    pub better: &'a [Move],
    pub better_begins: Color,
}

impl BoardPicture<'_> {
    pub fn write(&self, svg: &mut String) -> Result {
        let size = self.board.size();
        let side = (size - 1) as f32 + 2.0 * MARGIN;
        writeln!(svg, "<svg class=\"board\" viewBox=\"{0} {0} {side} {side}\" role=\"img\">", -MARGIN)?;
        writeln!(svg, "<rect class=\"wood\" x=\"{0}\" y=\"{0}\" width=\"{side}\" height=\"{side}\"/>", -MARGIN)?;
        self.write_lines(svg)?;
        self.write_labels(svg)?;
        for point in self.board.points() {
            if let Some(color) = self.board.color_at(point) {
                write_stone(svg, point, color, 1.0)?;
            }
        }
        if let Some(point) = self.last {
            write_ring(svg, point, "last", 0.3)?;
        }
        self.write_better(svg)?;
        if let Some((color, point)) = self.played {
            // Where the variation plays on the same point its number stays readable.
            if !self.better.contains(&Move::Play(point)) {
                write_stone(svg, point, color, GHOST)?;
            }
            write_ring(svg, point, "played", RADIUS)?;
        }
        svg.push_str("</svg>\n");
        Ok(())
    }

    fn write_lines(&self, svg: &mut String) -> Result {
        let last = self.board.size() - 1;
        for line in 0..=last {
            writeln!(svg, "<path class=\"line\" d=\"M0 {line}H{last}M{line} 0V{last}\"/>")?;
        }
        for point in star_points(self.board.size()) {
            writeln!(svg, "<circle class=\"star\" cx=\"{}\" cy=\"{}\" r=\"0.1\"/>", point.col(), point.row())?;
        }
        Ok(())
    }

    fn write_labels(&self, svg: &mut String) -> Result {
        let size = self.board.size();
        for (line, letter) in COLUMNS.chars().take(size).enumerate() {
            for edge in [-0.72, (size - 1) as f32 + 0.72] {
                writeln!(svg, "<text class=\"label\" x=\"{line}\" y=\"{}\">{letter}</text>", edge + 0.15)?;
                writeln!(
                    svg,
                    "<text class=\"label\" x=\"{edge}\" y=\"{}\">{}</text>",
                    line as f32 + 0.15,
                    size - line
                )?;
            }
        }
        Ok(())
    }

    fn write_better(&self, svg: &mut String) -> Result {
        let mut taken: Vec<Point> = Vec::new();
        let mut color = self.better_begins;
        for (index, mv) in self.better.iter().enumerate() {
            // The first stone on a point is the one to see.
            if let Some(point) = mv.point().filter(|point| !taken.contains(point)) {
                taken.push(point);
                write_stone(svg, point, color, GHOST)?;
                writeln!(
                    svg,
                    "<text class=\"number on-{color}\" x=\"{}\" y=\"{}\">{}</text>",
                    point.col(),
                    point.row() as f32 + 0.19,
                    index + 1
                )?;
                if index == 0 {
                    write_ring(svg, point, "best", RADIUS)?;
                }
            }
            color = color.opponent();
        }
        Ok(())
    }
}

fn write_stone(svg: &mut String, point: Point, color: Color, opacity: f32) -> Result {
    let (x, y) = (point.col(), point.row());
    writeln!(svg, "<circle class=\"{color}\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" opacity=\"{opacity}\"/>")
}

fn write_ring(svg: &mut String, point: Point, class: &str, radius: f32) -> Result {
    writeln!(svg, "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{radius}\"/>", point.col(), point.row())
}
