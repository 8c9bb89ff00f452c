//! What only the methods of Dynamic komi are tuned by.

use jigo_parameters::parameters;

parameters! {
    pub struct DynamicKomiParameters in "dynamic_komi" {
        in_leaf: bool = true, "compute linear komi for the leaf's move number, not the root's", "Dynamic komi 4";
        score_c: f32 = 20.0, (0.0, 100.0, 1.0), "c of the score-based komi rate", "Dynamic komi 5.1.1";
        score_s: f32 = 0.75, (0.0, 1.5, 0.05), "s of the score-based komi rate", "Dynamic komi 5.1.1";
        red: f32 = 0.45, (0.0, 1.0, 0.01), "win rate below which the position is red", "Dynamic komi 5.1.2";
        green: f32 = 0.5, (0.0, 1.0, 0.01), "win rate above which the position is green", "Dynamic komi 5.1.2";
        ratchet_moves: u32 = 0, (0.0, 400.0, 1.0), "moves after which the ratchet expires; 0 is never", "Dynamic komi 5.1.2";
    }
}
