//! How much an opinion depends on chance: the same positions with one seed after another.

use jigo_arena::CommandLine;

use super::analyst::Analyst;
use super::positions::Source;
use super::statistics::RunningMean;
use crate::run::LabError;

pub struct Spread {
    pub source: Source,
    pub positions: usize,
    /// With `{seed}` in it.
    pub analyst: CommandLine,
    pub visits: Vec<u64>,
    pub seeds: u32,
}

pub fn measure_spread(measurement: &Spread, tell: &mut dyn FnMut(usize)) -> Result<String, LabError> {
    let positions = measurement.source.draw(measurement.positions)?;
    let mut text = String::from("visits | win rate spreads by | lead spreads by | best moves named\n---|---|---|---\n");
    let mut done = 0;
    for &visits in &measurement.visits {
        let mut opinions = vec![Vec::new(); positions.len()];
        for seed in 1..=measurement.seeds {
            let mut analyst = Analyst::start(&measurement.analyst, seed)?;
            for (position, heard) in positions.iter().zip(&mut opinions) {
                heard.push(analyst.ask(position, visits)?);
                done += 1;
                tell(done);
            }
        }
        let mean_of = |spread: &dyn Fn(&Vec<super::analyst::AnalystOpinion>) -> f32| {
            opinions.iter().map(spread).collect::<RunningMean>().mean()
        };
        let rates = mean_of(&|heard| heard.iter().map(|o| o.black_win_rate).collect::<RunningMean>().stdev() as f32);
        let leads = mean_of(&|heard| heard.iter().map(|o| o.black_lead).collect::<RunningMean>().stdev() as f32);
        let moves = mean_of(&|heard| {
            let named: std::collections::HashSet<_> =
                heard.iter().map(|o| o.best.vertex(measurement.source.size)).collect();
            named.len() as f32
        });
        text.push_str(&format!("{visits} | {:.1} % | {leads:.2} points | {moves:.1}\n", 100.0 * rates));
    }
    Ok(text)
}
