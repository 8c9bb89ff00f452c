//! The shape of a net: everything needed to know which numbers it consists of.

use std::fmt;
use std::str::FromStr;

use crate::cgi::CgiForm;
use crate::planes::PlaneSet;

/// Moves the policy learns to foresee: the next one and the two after it (CGI III.A). Only the first is used in play.
pub const POLICY_STEPS: usize = 3;
/// Columns of the per-point output: the policy steps, ownership, and zeros up to a full vector.
pub const POINT_OUTPUTS: usize = 16;
/// The column of the per-point output that holds ownership.
pub const OWNERSHIP_COLUMN: usize = POLICY_STEPS;

/// One residual block: two 3x3 convolutions and a shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    Plain,
    /// The average and maximum of every channel after the first convolution shift the second one's output: the whole
    /// board speaks to each point, whatever its size.
    Pooled,
}

/// How the value head speaks about the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// A mixture of logistic distributions of the final score: a win rate at every komi, falling in komi by construction.
    Mixture,
    /// As a net of CGI's speaks: `cgi.rs`.
    Cgi(CgiForm),
}

/// Logistic components of [`ValueForm::Mixture`]; each has a weight, a place and a width.
pub const MIXTURE_COMPONENTS: usize = 4;

impl ValueForm {
    pub fn outputs(self) -> usize {
        match self {
            ValueForm::Mixture => 3 * MIXTURE_COMPONENTS,
            ValueForm::Cgi(form) => form.outputs(),
        }
    }
}

/// A residual tower over input planes, with policy, value and (if asked for) ownership heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Architecture {
    pub planes: PlaneSet,
    pub channels: usize,
    pub blocks: Vec<Block>,
    /// Channels of the 1x1 convolution all heads read.
    pub head: usize,
    /// Units between the pooled head and the value outputs.
    pub hidden: usize,
    pub value: ValueForm,
    pub ownership: bool,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("\"{0}\" does not describe a net")]
pub struct ArchitectureError(String);

impl Architecture {
    /// Can a net have these numbers? The kernels need channels in sixteens.
    fn is_sound(&self) -> bool {
        let fits = |n: usize| n > 0 && n <= 1024 && n.is_multiple_of(16);
        fits(self.channels) && fits(self.head) && fits(self.hidden) && (1..=100).contains(&self.blocks.len())
    }

    /// Outputs behind the hidden layer: a pass logit per policy step, then the value.
    pub fn pooled_outputs(&self) -> usize {
        POLICY_STEPS + self.value.outputs()
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks: String = self.blocks.iter().map(|b| if *b == Block::Plain { 'r' } else { 'p' }).collect();
        let value = match self.value {
            ValueForm::Mixture => "mixture",
            ValueForm::Cgi(CgiForm::Labels) => "labels",
            ValueForm::Cgi(CgiForm::Single) => "single",
        };
        let ownership = if self.ownership { "yes" } else { "no" };
        write!(
            f,
            "planes={} channels={} blocks={blocks} head={} hidden={} value={value} ownership={ownership}",
            self.planes, self.channels, self.head, self.hidden
        )
    }
}

impl FromStr for Architecture {
    type Err = ArchitectureError;

    fn from_str(text: &str) -> Result<Architecture, ArchitectureError> {
        let error = || ArchitectureError(text.to_string());
        let field = |name: &str| {
            let mut words = text.split_whitespace().filter_map(|word| word.split_once('='));
            words.find(|(key, _)| *key == name).map(|(_, value)| value).ok_or_else(error)
        };
        let number = |name: &str| field(name)?.parse::<usize>().map_err(|_| error());
        let block = |letter| match letter {
            'r' => Ok(Block::Plain),
            'p' => Ok(Block::Pooled),
            _ => Err(error()),
        };
        let architecture = Architecture {
            planes: field("planes")?.parse().map_err(|_| error())?,
            channels: number("channels")?,
            blocks: field("blocks")?.chars().map(block).collect::<Result<_, _>>()?,
            head: number("head")?,
            hidden: number("hidden")?,
            value: match field("value")? {
                "mixture" => ValueForm::Mixture,
                "labels" => ValueForm::Cgi(CgiForm::Labels),
                "single" => ValueForm::Cgi(CgiForm::Single),
                _ => return Err(error()),
            },
            ownership: field("ownership")? == "yes",
        };
        if architecture.is_sound() { Ok(architecture) } else { Err(error()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        let text = "planes=compact-1 channels=96 blocks=rprp head=64 hidden=64 value=labels ownership=yes";
        assert_eq!(text.parse::<Architecture>().unwrap().to_string(), text);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "planes=compact-1 channels=96",
            "planes=compact-1 channels=17 blocks=rprp head=64 hidden=64 value=labels ownership=yes",
            "planes=compact-1 channels=96 blocks=rxrp head=64 hidden=64 value=labels ownership=yes",
            "planes=compact-1 channels=96 blocks= head=64 hidden=64 value=labels ownership=yes",
        ] {
            assert!(text.parse::<Architecture>().is_err(), "{text}");
        }
    }
}
