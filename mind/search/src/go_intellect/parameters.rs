//! What Go Intellect's selection is tuned by.

use jigo_parameters::parameters;

parameters! {
    pub struct GoIntellectParameters in "go_intellect" {
        exploration: f32 = 12.0, (1.0, 100.0, 1.0), "c of UCB1", "Go Intellect III";
        rave_weight: f32 = 2000.0, (100.0, 10000.0, 100.0), "k of the RAVE mix", "Go Intellect III";
        root_prior: f32 = 24.0, (0.0, 100.0, 2.0), "k0: virtual games of prior knowledge at the root", "Go Intellect III";
        prior: f32 = 12.0, (0.0, 100.0, 1.0), "k1: virtual games of prior knowledge elsewhere", "Go Intellect III";
        rave_until: f32 = 5000.0, (100.0, 50000.0, 500.0), "h: visits above which RAVE is dropped", "Go Intellect III";
        randomised: bool = false, "draw c, k, k0, k1 and h anew before every step down", "Go Intellect IV";
        by_simulation: bool = false, "draw them once a simulation instead", "Go Intellect V";
        widening: f32 = 1.4, (1.05, 3.0, 0.05), "growth of visits for each further child considered", "Go Intellect II, Coulom 2007";
    }
}
