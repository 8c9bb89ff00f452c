//! Points lost per move in the eyes of a judge: of the players of the games, and of programs asked about the same positions.
//!
//! The judge looks at the position after each move, its own choice included, with the same visits each time. A loss is the
//! difference, so that what the judge misjudges about the whole board cancels; between two programs the judge's own choice
//! cancels too.

use jigo_arena::CommandLine;
use jigo_board::{Move, Score};

use super::analyst::Analyst;
use super::positions::{GamePosition, Source};
use super::respondent::Respondent;
use super::statistics::RunningMean;
use crate::run::LabError;

pub struct Losses {
    pub source: Source,
    pub positions: usize,
    pub judge: CommandLine,
    pub judge_visits: u64,
    /// Name and GTP command line.
    pub programs: Vec<(String, CommandLine)>,
}

/// Losses of more points than these are counted apart.
const LARGE_LOSS: f32 = 8.0;

/// What one of those compared lost, position by position.
struct Column {
    name: String,
    losses: Vec<f32>,
}

pub fn measure_losses(measurement: &Losses, tell: &mut dyn FnMut(usize)) -> Result<String, LabError> {
    let positions = measurement.source.draw(measurement.positions)?;
    let mut judge = Analyst::start(&measurement.judge, 1)?;
    let mut programs = Vec::new();
    for (number, (_, command)) in measurement.programs.iter().enumerate() {
        programs.push(Respondent::start(command, number as u32 + 1)?);
    }
    let names = measurement.programs.iter().map(|(name, _)| name.clone());
    let mut columns: Vec<Column> =
        std::iter::once("players".to_string()).chain(names).map(|name| Column { name, losses: Vec::new() }).collect();
    let mut stages = Vec::new();
    for (number, position) in positions.iter().enumerate() {
        tell(number);
        let mut moves = vec![Some(position.played.unwrap_or(Move::Pass))];
        for program in &mut programs {
            moves.push(program.genmove(position)?);
        }
        let losses = points_lost(&mut judge, position, &moves, measurement.judge_visits)?;
        stages.push(position.stage());
        columns.iter_mut().zip(losses).for_each(|(column, loss)| column.losses.push(loss));
    }
    Ok(report(&columns, &stages))
}

/// What each of the moves loses against the judge's own choice. Who resigns instead is taken to have lost nothing: better let them
/// play on.
fn points_lost(
    judge: &mut Analyst,
    position: &GamePosition,
    moves: &[Option<Move>],
    visits: u64,
) -> Result<Vec<f32>, LabError> {
    let mut known: Vec<(Move, Score)> = Vec::new();
    let mut lead_after = |judge: &mut Analyst, mv: Move| -> Result<Score, LabError> {
        if let Some(&(_, lead)) = known.iter().find(|&&(other, _)| other == mv) {
            return Ok(lead);
        }
        let black_lead = judge.ask(&position.after(mv), visits)?.black_lead;
        let lead = Score::black_lead(black_lead);
        known.push((mv, lead));
        Ok(lead)
    };
    let best = judge.ask(position, visits)?.best;
    let reference = lead_after(judge, best)?;
    let mut lost = |mv: Move| Ok(reference.given_up(lead_after(judge, mv)?, position.to_move()));
    moves.iter().map(|mv| mv.map_or(Ok(0.0), &mut lost)).collect()
}

fn report(columns: &[Column], stages: &[usize]) -> String {
    let mut text = format!(
        "points lost per move | all | opening | middle | endgame | more than {LARGE_LOSS} | less than the first program\n",
    );
    text.push_str("---|---|---|---|---|---|---\n");
    for (index, column) in columns.iter().enumerate() {
        let all: RunningMean = column.losses.iter().copied().collect();
        let large = column.losses.iter().filter(|&&loss| loss > LARGE_LOSS).count();
        text.push_str(&format!("{} | {all}", column.name));
        for stage in 0..3 {
            let part: RunningMean =
                column.losses.iter().zip(stages).filter(|&(_, &at)| at == stage).map(|(&loss, _)| loss).collect();
            text.push_str(&format!(" | {part}"));
        }
        let share = 100.0 * large as f64 / all.count().max(1) as f64;
        text.push_str(&format!(" | {share:.1} %"));
        match columns.get(1).filter(|_| index > 1) {
            Some(first) => {
                let gains: RunningMean = first.losses.iter().zip(&column.losses).map(|(a, b)| a - b).collect();
                text.push_str(&format!(" | {gains}\n"));
            }
            None => text.push_str(" |\n"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_compared_position_by_position() {
        let column = |name: &str, losses: &[f32]| Column { name: name.into(), losses: losses.to_vec() };
        let columns =
            [column("players", &[1.0, 1.0, 1.0]), column("old", &[2.0, 12.0, 1.0]), column("new", &[1.0, 11.0, 0.0])];
        let text = report(&columns, &[0, 1, 2]);
        let new = text.lines().last().unwrap();
        // A point less in every position: the difference is certain, though the losses themselves are not.
        assert!(new.ends_with("| 33.3 % | 1.00 ± 0.00"), "{new}");
    }
}
