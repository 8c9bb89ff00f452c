//! Which instructions this machine has, asked once at run time.

use std::fmt;
use std::str::FromStr;
#[cfg(target_arch = "x86_64")]
use std::sync::OnceLock;

/// Instruction sets the kernels are written for, slowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    Portable,
    /// 64-bit ARM.
    Neon,
    /// The same with 8-bit dot products, which ARM processors have since about 2018.
    NeonDot,
    Avx2,
    /// AVX2 with the 8-bit products of AVX-VNNI.
    Vnni256,
    Avx512,
    /// AVX-512 with the 8-bit products of AVX-512 VNNI.
    Vnni512,
    /// AVX-512 with the bf16 products of the tile unit.
    Amx,
    /// AVX-512 with the 8-bit products of the tile unit.
    AmxInt8,
}

/// How an instruction set multiplies in convolutions; everything else is f32 everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// These sets agree to rounding.
    F32,
    /// Products of bf16, sums in f32.
    Bf16,
    /// Products of bytes, sums in 32-bit integers: for finished nets, not for gradients.
    Int8,
}

impl Isa {
    pub const ALL: [Isa; 9] = [
        Isa::Portable,
        Isa::Neon,
        Isa::NeonDot,
        Isa::Avx2,
        Isa::Vnni256,
        Isa::Avx512,
        Isa::Vnni512,
        Isa::Amx,
        Isa::AmxInt8,
    ];

    /// The fastest set this machine offers.
    pub fn best() -> Isa {
        Isa::best_where(|_| true)
    }

    /// The fastest set that computes in f32 throughout.
    pub fn best_f32() -> Isa {
        Isa::best_where(|arithmetic| arithmetic == Arithmetic::F32)
    }

    /// The fastest set that keeps the range of a float, as gradients need it.
    pub fn best_for_training() -> Isa {
        Isa::best_where(|arithmetic| arithmetic != Arithmetic::Int8)
    }

    fn best_where(serves: impl Fn(Arithmetic) -> bool) -> Isa {
        let mut fastest_first = Isa::ALL.into_iter().rev();
        fastest_first.find(|isa| serves(isa.arithmetic()) && isa.is_available()).unwrap_or(Isa::Portable)
    }

    pub fn arithmetic(self) -> Arithmetic {
        match self {
            Isa::Portable | Isa::Neon | Isa::Avx2 | Isa::Avx512 => Arithmetic::F32,
            Isa::NeonDot | Isa::Vnni256 | Isa::Vnni512 | Isa::AmxInt8 => Arithmetic::Int8,
            Isa::Amx => Arithmetic::Bf16,
        }
    }

    pub fn is_available(self) -> bool {
        match self {
            Isa::Portable => true,
            Isa::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(target_arch = "aarch64")]
            Isa::NeonDot => std::arch::is_aarch64_feature_detected!("dotprod"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Isa::Vnni256 => Isa::Avx2.is_available() && is_x86_feature_detected!("avxvnni"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Isa::Avx2.is_available() && is_x86_feature_detected!("avx512f"),
            #[cfg(target_arch = "x86_64")]
            Isa::Vnni512 => {
                let has_bytes = is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vnni");
                Isa::Avx512.is_available() && has_bytes
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Amx => {
                static GRANTED: OnceLock<bool> = OnceLock::new();
                Isa::Avx512.is_available() && *GRANTED.get_or_init(super::amx::is_granted)
            }
            #[cfg(target_arch = "x86_64")]
            Isa::AmxInt8 => Isa::Amx.is_available() && Isa::Vnni512.is_available(),
            _ => false,
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Isa::Portable => "portable",
            Isa::Neon => "neon",
            Isa::NeonDot => "neon-dot",
            Isa::Avx2 => "avx2",
            Isa::Vnni256 => "vnni256",
            Isa::Avx512 => "avx512",
            Isa::Vnni512 => "vnni512",
            Isa::Amx => "amx",
            Isa::AmxInt8 => "amx-int8",
        })
    }
}

/// Why a name does not lead to a kernel.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum IsaError {
    #[error("\"{0}\" is no kernel of ours")]
    Unknown(String),
    #[error("this machine has no {0}")]
    Missing(Isa),
}

/// Reads the name of a set this machine has.
impl FromStr for Isa {
    type Err = IsaError;

    fn from_str(text: &str) -> Result<Isa, IsaError> {
        let isa = Isa::ALL.into_iter().find(|isa| isa.to_string() == text);
        let isa = isa.ok_or_else(|| IsaError::Unknown(text.to_string()))?;
        isa.is_available().then_some(isa).ok_or(IsaError::Missing(isa))
    }
}
