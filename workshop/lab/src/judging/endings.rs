//! Who won, and by how much: what programs say of counted games, at the end and some moves before it.

use jigo_arena::CommandLine;
use jigo_board::Color;

use super::analyst::Analyst;
use super::positions::{GamePosition, Source};
use super::respondent::Respondent;
use super::statistics::RunningMean;
use crate::run::LabError;

pub struct Endings {
    pub source: Source,
    pub games: usize,
    pub moves_before: usize,
    /// Asked for the lead, with this many visits.
    pub analysts: Vec<(String, CommandLine)>,
    pub visits: u64,
    /// Asked for `final_score`.
    pub programs: Vec<(String, CommandLine)>,
    /// Leave out games whose recorded winner this program does not confirm.
    pub trusted: Option<CommandLine>,
    /// Draw the positions in which somebody was far off.
    pub shows: bool,
}

pub fn judge_endings(measurement: &Endings, tell: &mut dyn FnMut(usize)) -> Result<String, LabError> {
    let mut positions = measurement.source.endings(measurement.games, measurement.moves_before)?;
    if let Some(trusted) = &measurement.trusted {
        let mut second = Respondent::start(trusted, 1)?;
        let mut confirmed = Vec::new();
        for position in positions {
            if second
                .final_score(&position)?
                .zip(position.black_score)
                .is_some_and(|(a, b)| a.lead_of(Color::Black) * b > 0.0)
            {
                confirmed.push(position);
            }
        }
        positions = confirmed;
    }
    let mut text =
        format!("{} games | winner wrong | points off | off by more than 5\n---|---|---|---\n", positions.len());
    let mut shown = String::new();
    let mut done = 0;
    for (name, command) in &measurement.analysts {
        let mut analyst = Analyst::start(command, 1)?;
        let mut answers = Vec::new();
        for position in &positions {
            answers.push(analyst.ask(position, measurement.visits)?.black_lead);
            done += 1;
            tell(done);
        }
        text.push_str(&line(&format!("{name}, {} visits", measurement.visits), &positions, &answers));
        shown.push_str(&far_off(name, &positions, &answers));
    }
    for (name, command) in &measurement.programs {
        let mut program = Respondent::start(command, 1)?;
        let mut answers = Vec::new();
        for position in &positions {
            answers.push(program.final_score(position)?.map_or(0.0, |score| score.lead_of(Color::Black)));
            done += 1;
            tell(done);
        }
        text.push_str(&line(&format!("{name}, final_score"), &positions, &answers));
        shown.push_str(&far_off(name, &positions, &answers));
    }
    Ok(if measurement.shows { text + &shown } else { text })
}

fn line(name: &str, positions: &[GamePosition], answers: &[f32]) -> String {
    let pairs = || positions.iter().filter_map(|position| position.black_score).zip(answers);
    let wrong = pairs().filter(|&(truth, &said)| names_another_winner(truth, said)).count();
    let off: RunningMean = pairs().map(|(truth, said)| (truth - said).abs()).collect();
    let far = pairs().filter(|&(truth, &said)| (truth - said).abs() > FAR).count();
    format!("{name} | {wrong} | {off} | {far}\n")
}

/// A score further off than this many points is far off.
const FAR: f32 = 5.0;

/// A lead of less than a quarter of a point says draw where scores are whole, and under a komi with a half still says who leads.
fn names_another_winner(truth: f32, said: f32) -> bool {
    let could_be_drawn = truth.fract() == 0.0;
    if could_be_drawn && said.abs() < 0.25 {
        return truth != 0.0;
    }
    truth * said <= 0.0
}

/// The positions in which an answer was far off or named another winner, drawn, with what was said and what was true.
fn far_off(name: &str, positions: &[GamePosition], answers: &[f32]) -> String {
    let mut text = String::new();
    for (position, &said) in positions.iter().zip(answers) {
        let is_off = |&truth: &f32| (truth - said).abs() > FAR || names_another_winner(truth, said);
        if let Some(truth) = position.black_score.filter(is_off) {
            text.push_str(&format!(
                "\n{name}: Black by {said}, truly {truth}, {} to move\n{}\n",
                position.to_move(),
                position.board()
            ));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardly_a_lead_is_a_draw_only_where_there_are_draws() {
        assert!(!names_another_winner(1.5, 0.1) && names_another_winner(-0.5, 0.1) && names_another_winner(0.5, 0.0));
        assert!(names_another_winner(1.0, 0.1) && !names_another_winner(0.0, -0.1) && names_another_winner(0.0, 1.0));
        assert!(!names_another_winner(3.0, 0.5) && names_another_winner(3.0, -0.5));
    }
}
