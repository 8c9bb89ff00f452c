//! How long a person would take over a move that cost the engine no time.

use std::time::Duration;

use jigo_search::SearchReport;

const SHORTEST: f32 = 0.6;
const LONGEST: f32 = 2.4;

/// A pause before showing the engine's move: short where the move was obvious, longer where there was a choice.
pub fn natural_pause(report: Option<&SearchReport>) -> Duration {
    let obvious = report.and_then(SearchReport::best).map_or(1.0, |best| best.policy.clamp(0.0, 1.0));
    Duration::from_secs_f32(LONGEST - (LONGEST - SHORTEST) * obvious)
}
