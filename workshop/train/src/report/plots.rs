//! A report as plots: CGI fig 4-6 (value error), 7 (score prediction), 9-10 (agreement), and calibration.

use std::path::{Path, PathBuf};

use jigo_charts::{COLORS, GRID};
use plotters::prelude::*;

use super::{Average, Correlation, EXTRA_KOMI, Report, Stage, first_move};
use crate::history::PlotError;

type Drawn = Result<(), Box<dyn std::error::Error>>;
type Plot = fn(&Report, &Path) -> Drawn;
type Curve = (String, Vec<(f64, f64)>);

/// Writes all plots of a report into a folder; their names begin with the board size.
pub fn plot_all(report: &Report, folder: &Path) -> Result<(), PlotError> {
    let plots: [(&str, Plot); 3] =
        [("value-error", value_error), ("score-prediction", score_prediction), ("calibration", calibration)];
    let path = |name: &str| folder.join(format!("{0}x{0}-{name}.svg", report.size));
    let failed = |path: PathBuf| {
        move |error: Box<dyn std::error::Error>| PlotError {
            path: path.display().to_string(),
            reason: error.to_string(),
        }
    };
    for (name, draw) in plots {
        draw(report, &path(name)).map_err(failed(path(name)))?;
    }
    for measured in report.agreement.iter().filter(|measured| !measured.pairs.is_empty()) {
        let path = path(&format!("agreement-{}", measured.komi));
        agreement(measured, &path).map_err(failed(path))?;
    }
    Ok(())
}

fn over_moves(report: &Report, value: impl Fn(&Stage) -> &Average) -> Vec<(f64, f64)> {
    let stages = report.stages.iter().enumerate();
    stages.filter_map(|(number, stage)| Some((first_move(number) as f64, value(stage).value()?))).collect()
}

fn value_error(report: &Report, path: &Path) -> Drawn {
    let mut curves: Vec<Curve> = vec![
        ("game's komi".into(), over_moves(report, |stage| &stage.value_error)),
        ("constant".into(), over_moves(report, |stage| &stage.constant_error)),
    ];
    for (i, komi) in EXTRA_KOMI.iter().enumerate() {
        curves.push((format!("komi {komi}"), over_moves(report, move |stage| &stage.extra_error[i])));
    }
    lines(path, "move", "mean squared error", 300.0, 0.6, &curves)
}

fn score_prediction(report: &Report, path: &Path) -> Drawn {
    let curves: Vec<Curve> = (0..super::DISTANCES)
        .map(|d| (format!("within {d}"), over_moves(report, move |stage| &stage.within[d])))
        .collect();
    lines(path, "move", "share of games", 300.0, 1.0, &curves)
}

fn calibration(report: &Report, path: &Path) -> Drawn {
    let seen = report.calibration.iter().filter_map(|bin| Some((bin.predicted.value()?, bin.won.value()?))).collect();
    let curves = [("seen".to_string(), seen), ("ideal".to_string(), vec![(0.0, 0.0), (1.0, 1.0)])];
    lines(path, "Black's win rate, predicted", "seen", 1.0, 1.0, &curves)
}

fn lines(path: &Path, x: &str, y: &str, x_end: f64, y_end: f64, curves: &[Curve]) -> Drawn {
    let root = SVGBackend::new(path, (800, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    // Many names need room of their own on the right.
    let room = if curves.len() > 2 { 1.22 } else { 1.0 };
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..room * x_end, 0.0..y_end)?;
    chart.configure_mesh().x_desc(x).y_desc(y).light_line_style(TRANSPARENT).bold_line_style(GRID).draw()?;
    for (number, (name, points)) in curves.iter().enumerate() {
        let color = COLORS[number % COLORS.len()].stroke_width(2);
        chart
            .draw_series(LineSeries::new(points.iter().copied(), color))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(GRID).draw()?;
    root.present()?;
    Ok(())
}

/// Every dot is a position; the lines are the komi, an even game and the regression.
fn agreement(measured: &Correlation, path: &Path) -> Drawn {
    let root = SVGBackend::new(path, (720, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let komi = f64::from(measured.komi);
    let reach = measured.pairs.iter().fold(10.0f64, |reach, (x, _)| reach.max((f64::from(*x) - komi).abs()));
    let (left, right) = (komi - reach, komi + reach);
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(left..right, 0.0..1.0)?;
    let y = format!("Black's win rate at komi {komi}");
    chart
        .configure_mesh()
        .x_desc("Black's territory by summed ownership")
        .y_desc(y)
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .draw()?;
    let dot = |&(x, y): &(f32, f32)| Circle::new((f64::from(x), f64::from(y)), 2, BLUE.mix(0.25).filled());
    chart.draw_series(measured.pairs.iter().map(dot))?;
    chart.draw_series(LineSeries::new([(komi, 0.0), (komi, 1.0)], RED.stroke_width(1)))?;
    chart.draw_series(LineSeries::new([(left, 0.5), (right, 0.5)], RED.stroke_width(1)))?;
    // Only as far as it stays a share.
    let line = (0..=100).map(|i| left + (right - left) * f64::from(i) / 100.0);
    let line: Vec<_> = line.filter_map(|x| Some((x, measured.regressed(x)?))).collect();
    let inside = line.into_iter().filter(|(_, y)| (0.0..=1.0).contains(y));
    chart.draw_series(LineSeries::new(inside, BLACK.stroke_width(2)))?;
    root.present()?;
    Ok(())
}
