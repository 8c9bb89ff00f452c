//! What only CGI's methods and experiments are tuned by.

use jigo_parameters::parameters;

parameters! {
    pub struct CgiParameters in "cgi" {
        komi_c: f32 = 8.0, (0.0, 100.0, 1.0), "c of the komi rate of ss-r, ss-b, ss-m and ml-dk", "CGI III.B";
        komi_s: f32 = 0.45, (0.0, 1.5, 0.05), "s of the komi rate of ss-r, ss-b, ss-m and ml-dk", "CGI III.B";
        komi_low: f32 = 0.45, (0.0, 1.0, 0.01), "l: vs-m and ml-dk want a win rate above it", "CGI IV.D";
        komi_high: f32 = 0.55, (0.0, 1.0, 0.01), "u: vs-m and ml-dk want a win rate below it", "CGI IV.D";
        net_komi: f32 = 0.0, (-50.0, 50.0, 1.0), "points added to the komi at which the net is asked, as by a net that knows another one", "CGI IV.E";
    }
}
