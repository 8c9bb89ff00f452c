//! Room card: parameters.
//!
//! For: declaring every tunable number of the mind once, with its name, default, range, tuning step, one line of meaning
//! and its source. The resulting tables feed the configuration file, the command line, GTP's get and set, the tuner
//! and the documentation.
//! May use: the standard library only.
//! Never enters: what any particular parameter does. Rooms declare their own with [`parameters!`].

/// How the outside world sees one parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// `room.name`, as written in `--set room.name=value`.
    pub name: &'static str,
    pub kind: Kind,
    /// What may be set, and by how much the tuner steps; switches and choices have none.
    pub range: Option<Range>,
    pub meaning: &'static str,
    /// Paper and section, or "ours" with the measurement's place.
    pub source: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub min: f64,
    pub max: f64,
    pub step: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Number,
    Integer,
    Switch,
    Choice(&'static [&'static str]),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetError {
    Unknown(String),
    Unreadable { name: &'static str, text: String, wanted: String },
    OutOfRange { name: &'static str, text: String, min: String, max: String },
}

impl std::fmt::Display for SetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SetError::Unknown(name) => write!(f, "there is no parameter named {name:?}"),
            SetError::Unreadable { name, text, wanted } => write!(f, "{name} takes {wanted}, not {text:?}"),
            SetError::OutOfRange { name, text, min, max } => {
                write!(f, "{name} must lie between {min} and {max}, {text} does not")
            }
        }
    }
}

impl std::error::Error for SetError {}

/// A type that a parameter can have.
pub trait ParameterValue: Sized + Copy {
    const KIND: Kind;
    fn read(text: &str) -> Option<Self>;
    fn show(self) -> String;
    /// The value as a number, for the range check.
    fn number(self) -> Option<f64>;
}

impl ParameterValue for f32 {
    const KIND: Kind = Kind::Number;
    fn read(text: &str) -> Option<f32> {
        text.parse().ok().filter(|x: &f32| x.is_finite())
    }
    fn show(self) -> String {
        self.to_string()
    }
    fn number(self) -> Option<f64> {
        // Through text, so that 0.1 stays 0.1.
        self.to_string().parse().ok()
    }
}

impl ParameterValue for u32 {
    const KIND: Kind = Kind::Integer;
    fn read(text: &str) -> Option<u32> {
        // The tuner works with real numbers.
        text.parse().ok().or_else(|| {
            let number: f64 = text.parse().ok()?;
            (0.0..=u32::MAX as f64).contains(&number).then(|| number.round() as u32)
        })
    }
    fn show(self) -> String {
        self.to_string()
    }
    fn number(self) -> Option<f64> {
        Some(self.into())
    }
}

impl ParameterValue for bool {
    const KIND: Kind = Kind::Switch;
    fn read(text: &str) -> Option<bool> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "on" | "yes" | "1" => Some(true),
            "false" | "off" | "no" | "0" => Some(false),
            _ => None,
        }
    }
    fn show(self) -> String {
        self.to_string()
    }
    fn number(self) -> Option<f64> {
        None
    }
}

/// A struct made by [`parameters!`].
pub trait ParameterSet {
    const TABLE: &'static [Parameter];
    fn get(&self, name: &str) -> Option<String>;
    fn set(&mut self, name: &str, text: &str) -> Result<(), SetError>;
}

/// Reads one value and checks it against its row of the table. Used by the macro.
pub fn read_checked<T: ParameterValue>(row: &Parameter, text: &str) -> Result<T, SetError> {
    let text = text.trim();
    let value = T::read(text).ok_or_else(|| SetError::Unreadable {
        name: row.name,
        text: text.to_string(),
        wanted: match T::KIND {
            Kind::Number => "a number".into(),
            Kind::Integer => "a whole number".into(),
            Kind::Switch => "on or off".into(),
            Kind::Choice(names) => format!("one of {}", names.join(", ")),
        },
    })?;
    if let (Some(number), Some(range)) = (value.number(), row.range)
        && !(range.min..=range.max).contains(&number)
    {
        return Err(SetError::OutOfRange {
            name: row.name,
            text: text.to_string(),
            min: range.min.to_string(),
            max: range.max.to_string(),
        });
    }
    Ok(value)
}

/// Declares a struct of parameters. One line per parameter:
/// `name: type = default, (min, max, step), "meaning", "source";` for numbers, without the range for switches and choices.
#[macro_export]
macro_rules! parameters {
    ($(#[$doc:meta])* pub struct $set:ident in $room:literal {
        $($name:ident : $type:ty = $default:expr, $(($min:expr, $max:expr, $step:expr),)? $meaning:literal, $source:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $set { $(#[doc = $meaning] pub $name: $type,)* }

        impl Default for $set {
            fn default() -> Self { $set { $($name: $default,)* } }
        }

        impl $crate::ParameterSet for $set {
            const TABLE: &'static [$crate::Parameter] = &[$($crate::Parameter {
                name: concat!($room, ".", stringify!($name)),
                kind: <$type as $crate::ParameterValue>::KIND,
                range: $crate::parameters!(@range $($min, $max, $step)?),
                meaning: $meaning,
                source: $source,
            },)*];

            fn get(&self, name: &str) -> Option<String> {
                $(if name == concat!($room, ".", stringify!($name)) {
                    return Some($crate::ParameterValue::show(self.$name));
                })*
                None
            }

            fn set(&mut self, name: &str, text: &str) -> Result<(), $crate::SetError> {
                let mut rows = Self::TABLE.iter();
                $(if let Some(row) = rows.next() && row.name == name {
                    self.$name = $crate::read_checked(row, text)?;
                    return Ok(());
                })*
                Err($crate::SetError::Unknown(name.to_string()))
            }
        }
    };
    (@range) => { None };
    (@range $min:expr, $max:expr, $step:expr) => {
        Some($crate::Range { min: $min, max: $max, step: $step })
    };
}

/// Declares an enum that a parameter can choose from, with the names users write.
#[macro_export]
macro_rules! choice {
    ($(#[$doc:meta])* pub enum $choice:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $choice { $($(#[$variant_doc])* $variant,)* }

        impl $crate::ParameterValue for $choice {
            const KIND: $crate::Kind = $crate::Kind::Choice(&[$($name,)*]);
            fn read(text: &str) -> Option<Self> {
                $(if text.eq_ignore_ascii_case($name) { return Some($choice::$variant); })*
                None
            }
            fn show(self) -> String {
                match self { $($choice::$variant => $name.to_string(),)* }
            }
            fn number(self) -> Option<f64> { None }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    choice! {
        pub enum Order { Fixed = "fixed", Shuffled = "shuffled", }
    }

    parameters! {
        /// An example.
        pub struct Example in "example" {
            rate: f32 = 0.8, (0.0, 1.0, 0.05), "how often", "Pachi 3.2";
            count: u32 = 7, (1.0, 20.0, 1.0), "how many", "ours";
            on: bool = true, "whether", "ours";
            order: Order = Order::Fixed, "in what order", "Go Intellect VI";
        }
    }

    #[test]
    fn every_parameter_reads_back_what_it_shows() {
        let mut set = Example::default();
        for (row, text) in Example::TABLE.iter().zip(["0.25", "3", "false", "shuffled"]) {
            set.set(row.name, text).unwrap();
            assert_eq!(set.get(row.name).as_deref(), Some(text));
        }
        assert_eq!(set, Example { rate: 0.25, count: 3, on: false, order: Order::Shuffled });
    }

    #[test]
    fn bad_values_are_refused_in_one_sentence_and_change_nothing() {
        let mut set = Example::default();
        let mut refuse = |name, text| set.set(name, text).unwrap_err().to_string();
        assert_eq!(refuse("example.rate", "1.5"), "example.rate must lie between 0 and 1, 1.5 does not");
        assert_eq!(refuse("example.rate", "NaN"), "example.rate takes a number, not \"NaN\"");
        assert_eq!(refuse("example.count", "-3"), "example.count takes a whole number, not \"-3\"");
        assert_eq!(refuse("example.order", "x"), "example.order takes one of fixed, shuffled, not \"x\"");
        assert_eq!(refuse("rate", "1"), "there is no parameter named \"rate\"");
        assert_eq!(set, Example::default());
    }
}
