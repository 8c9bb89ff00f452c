//! Charts as SVG text: curves with bands, alone or as a table of small charts, and bars.
//!
//! Plotters is built without its font features: an SVG names its font and the viewer brings it, so no font needs to be
//! installed where the chart is drawn.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;
use thiserror::Error;

use crate::palette::{COLORS, GRID, QUIET};

const SIZE: (u32, u32) = (900, 480);
/// A chart in a table.
const SMALL: (u32, u32) = (320, 260);
const TITLE: (&str, u32) = ("sans-serif", 18);
const LABEL: (&str, u32) = ("sans-serif", 14);

#[derive(Debug, Error)]
#[error("cannot draw: {0}")]
pub struct ChartError(String);

/// What a chart is about.
pub struct Axes<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    pub x_range: Range<f64>,
    pub y_range: Range<f64>,
}

#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// Shown in the legend; none if empty.
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// Lower and upper end of the band around each point; none if empty.
    pub band: Vec<(f64, f64)>,
}

/// One chart in a table of them.
pub struct Panel<'a> {
    pub axes: Axes<'a>,
    pub curves: Vec<Curve>,
    /// A quiet line behind the curves: where they should be.
    pub ideal: Vec<(f64, f64)>,
}

/// A chart with its axes and a light grid. A macro, since the type of a chart cannot be written down.
macro_rules! chart_on {
    ($sheet:expr, $axes:expr) => {{
        let axes = &$axes;
        let mut chart = ChartBuilder::on($sheet)
            .caption(axes.title, TITLE)
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(if axes.y.is_empty() { 0 } else { 64 })
            .build_cartesian_2d(axes.x_range.clone(), axes.y_range.clone())?;
        chart
            .configure_mesh()
            .x_desc(axes.x)
            .y_desc(axes.y)
            .label_style(LABEL)
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .x_label_formatter(&|x| short(*x))
            .y_label_formatter(&|y| short(*y))
            .draw()?;
        chart
    }};
}

/// Curves in one chart; what lies above or below the range is drawn at the rim.
pub fn draw_curves(axes: &Axes, curves: &[Curve]) -> Result<String, ChartError> {
    draw(SIZE, |sheet| curves_on(sheet, axes, curves, &[]))
}

/// Small charts in rows of equal length.
pub fn draw_table(rows: &[Vec<Panel>]) -> Result<String, ChartError> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let size = (SMALL.0 * columns.max(1) as u32, SMALL.1 * rows.len().max(1) as u32);
    draw(size, |sheet| {
        let places = sheet.split_evenly((rows.len(), columns));
        for (row, places) in rows.iter().zip(places.chunks(columns.max(1))) {
            for (panel, place) in row.iter().zip(places) {
                curves_on(place, &panel.axes, &panel.curves, &panel.ideal)?;
            }
        }
        Ok(())
    })
}

fn curves_on(sheet: &Sheet, axes: &Axes, curves: &[Curve], ideal: &[(f64, f64)]) -> Drawn {
    let mut chart = chart_on!(sheet, axes);
    chart.draw_series(LineSeries::new(ideal.iter().copied(), QUIET))?;
    let inside = |(x, y): (f64, f64)| (x, y.clamp(axes.y_range.start, axes.y_range.end));
    for (curve, color) in curves.iter().zip(COLORS.iter().cycle()) {
        let with_x = || curve.points.iter().zip(&curve.band);
        let lows = with_x().map(|(&(x, _), &(low, _))| inside((x, low)));
        let highs = with_x().rev().map(|(&(x, _), &(_, high))| inside((x, high)));
        chart.draw_series([Polygon::new(lows.chain(highs).collect::<Vec<_>>(), color.mix(0.15))])?;
        let points: Vec<_> = curve.points.iter().copied().map(inside).collect();
        let line = chart.draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))?;
        if !curve.name.is_empty() {
            let key = move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2));
            line.label(&curve.name).legend(key);
        }
        // Few points are measurements and want to be seen one by one.
        if points.len() <= 30 {
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, color.filled())))?;
        }
    }
    if curves.iter().any(|curve| !curve.name.is_empty()) {
        let labels = &mut chart.configure_series_labels();
        labels.background_style(WHITE.mix(0.8)).border_style(GRID).label_font(LABEL).draw()?;
    }
    Ok(())
}

/// Bars over intervals of x: `(left, right, height)`.
pub fn draw_bars(axes: &Axes, bars: &[(f64, f64, f64)]) -> Result<String, ChartError> {
    draw(SIZE, |sheet| {
        let mut chart = chart_on!(sheet, axes);
        let bar = |&(left, right, height): &(f64, f64, f64)| {
            Rectangle::new([(left, 0.0), (right, height)], COLORS[0].mix(0.7).filled())
        };
        chart.draw_series(bars.iter().map(bar))?;
        Ok(())
    })
}

/// Named values with intervals, one below the other: `(name, low, value, high)`.
pub fn draw_intervals(title: &str, x: &str, rows: &[(&str, f64, f64, f64)], reach: f64) -> Result<String, ChartError> {
    let axes = Axes { title, x, y: "", x_range: -reach..reach, y_range: 0.0..rows.len() as f64 };
    draw(SIZE, |sheet| {
        let mut chart = chart_on!(sheet, axes);
        for (row, &(name, low, value, high)) in rows.iter().enumerate() {
            let y = rows.len() as f64 - row as f64 - 0.5;
            let [low, value, high] = [low, value, high].map(|end| end.clamp(-reach, reach));
            chart.draw_series(LineSeries::new([(low, y), (high, y)], COLORS[0].stroke_width(2)))?;
            chart.draw_series([Circle::new((value, y), 5, COLORS[0].filled())])?;
            chart.draw_series([Text::new(name.to_string(), (-0.98 * reach, y), LABEL)])?;
        }
        Ok(())
    })
}

/// As few digits as tell the number.
fn short(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

type Sheet<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(size: (u32, u32), picture: impl Fn(&Sheet) -> Drawn) -> Result<String, ChartError> {
    let mut svg = String::new();
    let mut drawn = || -> Drawn {
        let sheet = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        sheet.fill(&WHITE)?;
        picture(&sheet)?;
        sheet.present()?;
        Ok(())
    };
    drawn().map_err(|error| ChartError(error.to_string()))?;
    Ok(svg)
}
