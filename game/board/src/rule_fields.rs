//! Rules field by field, in KataGo's words: several protocols write them so.

use crate::rules::{HandicapBonus, KoRule, Rules, Scoring, Tax};

const TRUTHS: &[(&str, bool)] = &[("true", true), ("false", false)];
const KO_RULES: &[(&str, KoRule)] =
    &[("SIMPLE", KoRule::Simple), ("POSITIONAL", KoRule::Positional), ("SITUATIONAL", KoRule::Situational)];
const SCORINGS: &[(&str, Scoring)] = &[("AREA", Scoring::Area), ("TERRITORY", Scoring::Territory)];
const TAXES: &[(&str, Tax)] = &[("NONE", Tax::None), ("SEKI", Tax::Seki), ("ALL", Tax::All)];
const BONUSES: &[(&str, HandicapBonus)] =
    &[("0", HandicapBonus::Zero), ("N-1", HandicapBonus::NMinusOne), ("N", HandicapBonus::N)];

/// Why a field of rules cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleFieldError {
    Unknown(String),
    Value { field: String, words: Vec<&'static str> },
}

impl std::fmt::Display for RuleFieldError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RuleFieldError::Unknown(field) => write!(f, "rules have no field {field:?}"),
            RuleFieldError::Value { field, words } => write!(f, "{field} is one of {}", words.join(", ")),
        }
    }
}

impl std::error::Error for RuleFieldError {}

impl Rules {
    /// Rules from their fields. Those that are missing are as in Tromp-Taylor rules, only that territory scoring taxes seki.
    pub fn from_fields<'a>(fields: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Result<Rules, RuleFieldError> {
        let mut rules = Rules::by_name("tromp-taylor").unwrap_or_default();
        for (_, value) in fields.clone().filter(|&(field, _)| matches!(field, "scoring" | "score")) {
            rules.set_field("scoring", value)?;
            rules.tax = if rules.scoring == Scoring::Territory { Tax::Seki } else { Tax::None };
        }
        for (field, value) in fields {
            rules.set_field(field, value)?;
        }
        Ok(rules)
    }

    /// All fields and their values, as [`Rules::from_fields`] reads them.
    pub fn fields(&self) -> [(&'static str, &'static str); 7] {
        [
            ("friendlyPassOk", word(TRUTHS, self.friendly_pass_ok)),
            ("hasButton", word(TRUTHS, self.has_button)),
            ("ko", word(KO_RULES, self.ko)),
            ("scoring", word(SCORINGS, self.scoring)),
            ("suicide", word(TRUTHS, self.suicide)),
            ("tax", word(TAXES, self.tax)),
            ("whiteHandicapBonus", word(BONUSES, self.handicap_bonus)),
        ]
    }

    /// Changes one field, or says why it cannot be and changes nothing.
    pub fn set_field(&mut self, field: &str, value: &str) -> Result<(), RuleFieldError> {
        match field {
            "ko" => self.ko = meaning(KO_RULES, field, value)?,
            "scoring" | "score" => self.scoring = meaning(SCORINGS, field, value)?,
            "tax" => self.tax = meaning(TAXES, field, value)?,
            "whiteHandicapBonus" => self.handicap_bonus = meaning(BONUSES, field, value)?,
            "suicide" => self.suicide = meaning(TRUTHS, field, value)?,
            "hasButton" => self.has_button = meaning(TRUTHS, field, value)?,
            "friendlyPassOk" => self.friendly_pass_ok = meaning(TRUTHS, field, value)?,
            _ => return Err(RuleFieldError::Unknown(field.chars().take(40).collect())),
        }
        Ok(())
    }
}

fn word<T: PartialEq>(words: &[(&'static str, T)], meaning: T) -> &'static str {
    words.iter().find(|(_, known)| *known == meaning).map_or("", |&(word, _)| word)
}

fn meaning<T: Copy>(words: &[(&'static str, T)], field: &str, value: &str) -> Result<T, RuleFieldError> {
    let known = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(value));
    known.map(|&(_, meaning)| meaning).ok_or_else(|| RuleFieldError::Value {
        field: field.to_string(),
        words: words.iter().map(|&(word, _)| word).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(fields: &[(&str, &str)]) -> Result<Rules, RuleFieldError> {
        Rules::from_fields(fields.iter().copied())
    }

    #[test]
    fn missing_fields_are_tromp_taylors_and_territory_taxes_seki() {
        assert_eq!(rules(&[]).unwrap(), Rules::by_name("tromp-taylor").unwrap());
        assert_eq!(rules(&[("ko", "simple"), ("scoring", "TERRITORY")]).unwrap().tax, Tax::Seki);
        assert_eq!(rules(&[("tax", "ALL"), ("scoring", "TERRITORY")]).unwrap().tax, Tax::All);
        assert_eq!(rules(&[("score", "TERRITORY")]), rules(&[("scoring", "TERRITORY")]), "KataGo reads both");
    }

    #[test]
    fn what_is_written_can_be_read() {
        for name in ["tromp-taylor", "chinese", "chinese-kgs", "japanese", "aga", "new-zealand", "stone-scoring"] {
            let rules = Rules::by_name(name).unwrap();
            assert_eq!(Rules::from_fields(rules.fields().into_iter()).unwrap().fields(), rules.fields(), "{name}");
        }
    }

    #[test]
    fn bad_fields_are_refused_in_one_sentence() {
        let refusal = |field, value| rules(&[(field, value)]).unwrap_err().to_string();
        assert_eq!(refusal("tex", "ALL"), "rules have no field \"tex\"");
        assert_eq!(refusal("suicide", "7"), "suicide is one of true, false");
        assert_eq!(refusal("whiteHandicapBonus", "2"), "whiteHandicapBonus is one of 0, N-1, N");
    }
}
