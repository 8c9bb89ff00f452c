//! How products are computed: on which instruction set, and of what numbers.

use std::fmt;
use std::str::FromStr;

use super::Proof;
use crate::kernel::{Isa, IsaError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    pub isa: Isa,
    pub numbers: Numbers,
}

/// What is multiplied in the blocks of a net; everything else is f32 everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// f32.
    Floats,
    /// 16-bit integers.
    Shorts,
}

impl Kernel {
    pub const fn floats(isa: Isa) -> Kernel {
        Kernel { isa, numbers: Numbers::Floats }
    }

    pub const fn shorts(isa: Isa) -> Kernel {
        Kernel { isa, numbers: Numbers::Shorts }
    }

    /// Those that keep a net's answers. Registers twice as wide are worth as much as numbers half as wide, and floats are exact.
    pub(super) const FASTEST_FIRST: [Kernel; 7] = [
        Kernel::shorts(Isa::Vnni512),
        Kernel::floats(Isa::Avx512),
        Kernel::shorts(Isa::Vnni256),
        Kernel::shorts(Isa::Avx2),
        Kernel::floats(Isa::Avx2),
        Kernel::floats(Isa::Neon),
        Kernel::floats(Isa::Portable),
    ];

    /// The fastest that this machine has and that has proved itself.
    pub fn best() -> Kernel {
        Proof::of_this_machine().kernel
    }

    /// The same of those that compute in f32 throughout.
    pub fn exact() -> Kernel {
        Proof::of_this_machine().exact
    }

    /// Has this machine the instructions, and are they worth having for these numbers?
    pub fn is_available(self) -> bool {
        let are_fast = match self.numbers {
            Numbers::Floats => true,
            Numbers::Shorts => matches!(self.isa, Isa::Avx2 | Isa::Vnni256 | Isa::Vnni512),
        };
        are_fast && self.isa.is_available()
    }
}

/// Floats.
impl From<Isa> for Kernel {
    fn from(isa: Isa) -> Kernel {
        Kernel::floats(isa)
    }
}

impl Numbers {
    pub const ALL: [Numbers; 2] = [Numbers::Floats, Numbers::Shorts];

    /// What stands behind the instruction set in a kernel's name.
    fn suffix(self) -> &'static str {
        match self {
            Numbers::Floats => "",
            Numbers::Shorts => "-16",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.isa, self.numbers.suffix()))
    }
}

/// Reads the name of a kernel whose instructions this machine has.
impl FromStr for Kernel {
    type Err = IsaError;

    fn from_str(text: &str) -> Result<Kernel, IsaError> {
        let mut all = Numbers::ALL.into_iter().flat_map(|numbers| Isa::ALL.map(|isa| Kernel { isa, numbers }));
        let kernel = all.find(|kernel| kernel.to_string() == text);
        let kernel = kernel.ok_or_else(|| IsaError::Unknown(text.to_string()))?;
        // The portable loops can stand in for every arithmetic and show what rounding costs.
        let is_there = kernel.isa == Isa::Portable || kernel.is_available();
        is_there.then_some(kernel).ok_or(IsaError::Missing(kernel.isa))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for kernel in [Kernel::floats(Isa::Portable), Kernel::shorts(Isa::Portable), Kernel::best(), Kernel::exact()] {
            assert_eq!(kernel.to_string().parse(), Ok(kernel));
        }
        assert_eq!("abacus".parse::<Kernel>(), Err(IsaError::Unknown("abacus".into())));
        let foreign = if Isa::Neon.is_available() { Isa::Avx2 } else { Isa::Neon };
        assert_eq!(foreign.to_string().parse::<Kernel>(), Err(IsaError::Missing(foreign)));
    }
}
