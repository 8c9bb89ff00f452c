//! What the papers got wrong or left unsaid: claims that games refuted, misprints, and constants nobody printed.

use jigo_engine::PRESETS;

const HEAD: &str = "\n# What the papers got wrong or left unsaid\n";
const REFUTED: &str = "
Refuted by our games, or smaller in them than in the paper, on the boards and in searches of the
length named. Where the paper's were longer or larger, this limits its claim and does not turn it
round.

| claim | source | paper | here | games |
|---|---|---|---|---|
";
const NOTHING_REFUTED: &str = "\nNo claim has been refuted by games so far.\n";
/// What contradicts itself within the papers; the evidence is the print.
const MISPRINTS: &str = "
Misprinted:

| where | print | what must be meant |
|---|---|---|
| Pachi Algorithm 1 | beta = n / (n + sims + sims / 3000), n AMAF simulations: 3000 would hardly matter | n / (n + sims + n sims / 3000), as Dynamic komi 2.1 has it |
| CGI table 3 | BV-VN wins 66.6 % against VN, and VN 39.4 % against BV-VN | 60.6 %, so that both make 100 |
";
const UNSAID: &str = "
Left unsaid, so that whoever builds the program has to choose. What was chosen here is in the
presets (`jigo config --preset NAME`):

| program | setting | here |
|---|---|---|
";
/// How a preset marks a value of our own choice.
const OURS: &str = "ours";

/// Rows of refuted claims are given without the verdict.
pub fn section(refuted: &[String]) -> String {
    let mut text = HEAD.to_string();
    if refuted.is_empty() {
        text.push_str(NOTHING_REFUTED);
    } else {
        text.push_str(REFUTED);
        refuted.iter().for_each(|row| text.push_str(row));
    }
    text.push_str(MISPRINTS);
    text.push_str(UNSAID);
    for preset in PRESETS {
        for setting in preset.settings().filter(|setting| setting.source.starts_with(OURS)) {
            text.push_str(&format!("| {} | `{}` | {} |\n", preset.name, setting.name, setting.value));
        }
    }
    text
}
