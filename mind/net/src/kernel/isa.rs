//! Which instructions this machine has, asked once at run time.

use std::fmt;
use std::sync::OnceLock;

/// Instruction sets the kernels are written for, slowest first. All but `Amx` compute in f32 and agree
/// to rounding; `Amx` multiplies in bf16 and sums in f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isa {
    Portable,
    Avx2,
    Avx512,
    Amx,
}

impl Isa {
    pub const ALL: [Isa; 4] = [Isa::Portable, Isa::Avx2, Isa::Avx512, Isa::Amx];

    /// The fastest set this machine offers.
    pub fn best() -> Isa {
        *Isa::ALL.iter().rev().find(|isa| isa.is_available()).unwrap_or(&Isa::Portable)
    }

    /// The fastest set that computes in f32 throughout.
    pub fn best_f32() -> Isa {
        Isa::best().min(Isa::Avx512)
    }

    pub fn is_available(self) -> bool {
        match self {
            Isa::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Isa::Avx2.is_available() && is_x86_feature_detected!("avx512f"),
            #[cfg(target_arch = "x86_64")]
            Isa::Amx => {
                static GRANTED: OnceLock<bool> = OnceLock::new();
                Isa::Avx512.is_available() && *GRANTED.get_or_init(super::amx::is_granted)
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Isa::Portable => "portable",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
            Isa::Amx => "amx",
        })
    }
}
