//! What Go Intellect's selection is tuned by.

use jigo_parameters::parameters;

parameters! {
    pub struct GoIntellectParameters in "go_intellect" {
        exploration: f32 = 12.0, (1.0, 100.0, 1.0), "c of UCB1", "002 sec III";
        rave_weight: f32 = 2000.0, (100.0, 10000.0, 100.0), "k of the RAVE mix", "002 sec III";
        root_prior: f32 = 24.0, (0.0, 100.0, 2.0), "k0: virtual games of prior knowledge at the root", "002 sec III";
        prior: f32 = 12.0, (0.0, 100.0, 1.0), "k1: virtual games of prior knowledge elsewhere", "002 sec III";
        rave_until: f32 = 5000.0, (100.0, 50000.0, 500.0), "h: visits above which RAVE is dropped", "002 sec III";
        randomised: bool = false, "draw c, k, k0, k1 and h anew before every step down", "002 sec IV";
        widening: f32 = 1.4, (1.05, 3.0, 0.05), "growth of visits for each further child considered", "002 sec II, Coulom 2007";
    }
}
