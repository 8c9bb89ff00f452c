//! The colours of every plot.

use plotters::style::RGBColor;

pub const GRID: RGBColor = RGBColor(225, 225, 225);

/// For what stands in the background.
pub const QUIET: RGBColor = RGBColor(120, 120, 120);

/// Distinguishable in print and by the colour-blind (Okabe and Ito).
pub const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(240, 228, 66),
];
