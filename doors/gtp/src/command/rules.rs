//! The rules, by name or field by field in KataGo's JSON.

use jigo_board::{HandicapBonus, KoRule, Rules, Scoring, Tax};
use serde_json::{Map, Value, json};

use super::Run::Once;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "kata-get-rules", help: "the rules as JSON", run: Once(get_rules) },
    Command { name: "kata-set-rules", help: "NAME or JSON: play by these rules", run: Once(set_rules) },
    Command {
        name: "kgs-rules",
        help: "chinese|aga|japanese|new_zealand: rules as KGS plays them",
        run: Once(kgs_rules),
    },
];

const KO_RULES: &[(&str, KoRule)] =
    &[("SIMPLE", KoRule::Simple), ("POSITIONAL", KoRule::Positional), ("SITUATIONAL", KoRule::Situational)];
const SCORINGS: &[(&str, Scoring)] = &[("AREA", Scoring::Area), ("TERRITORY", Scoring::Territory)];
const TAXES: &[(&str, Tax)] = &[("NONE", Tax::None), ("SEKI", Tax::Seki), ("ALL", Tax::All)];
const BONUSES: &[(&str, HandicapBonus)] =
    &[("0", HandicapBonus::Zero), ("N-1", HandicapBonus::NMinusOne), ("N", HandicapBonus::N)];

fn get_rules(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    let rules = session.engine.game().rules();
    let fields = json!({
        "friendlyPassOk": rules.friendly_pass_ok,
        "hasButton": rules.has_button,
        "ko": word_for(KO_RULES, rules.ko),
        "scoring": word_for(SCORINGS, rules.scoring),
        "suicide": rules.suicide,
        "tax": word_for(TAXES, rules.tax),
        "whiteHandicapBonus": word_for(BONUSES, rules.handicap_bonus),
    });
    Ok(fields.to_string())
}

fn word_for<T: PartialEq>(words: &[(&'static str, T)], value: T) -> Option<&'static str> {
    words.iter().find(|(_, meaning)| *meaning == value).map(|&(word, _)| word)
}

/// The board, the moves and the komi stay as they are.
fn set_rules(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let text = arguments.rest();
    let rules =
        if text.starts_with('{') { read_fields(&text)? } else { Rules::by_name(&text).ok_or(Failure::UnknownRules)? };
    session.engine.set_rules(rules);
    DONE
}

/// Fields that are missing are as in Tromp-Taylor rules, only that territory scoring taxes seki.
fn read_fields(text: &str) -> Result<Rules, Failure> {
    let fields: Map<String, Value> = serde_json::from_str(text).map_err(|_| expected("rules as JSON"))?;
    let mut rules = Rules::by_name("tromp-taylor").unwrap_or_default();
    if let Some(value) = fields.get("scoring") {
        rules.scoring = meaning_of(SCORINGS, "scoring", value)?;
        rules.tax = if rules.scoring == Scoring::Territory { Tax::Seki } else { Tax::None };
    }
    for (field, value) in &fields {
        match field.as_str() {
            "scoring" => {}
            "ko" => rules.ko = meaning_of(KO_RULES, field, value)?,
            "tax" => rules.tax = meaning_of(TAXES, field, value)?,
            "whiteHandicapBonus" => rules.handicap_bonus = meaning_of(BONUSES, field, value)?,
            "suicide" => rules.suicide = truth(field, value)?,
            "hasButton" => rules.has_button = truth(field, value)?,
            "friendlyPassOk" => rules.friendly_pass_ok = truth(field, value)?,
            _ => return Err(Failure::Syntax(format!("rules have no field {field:?}"))),
        }
    }
    Ok(rules)
}

fn meaning_of<T: Copy>(words: &[(&'static str, T)], field: &str, value: &Value) -> Result<T, Failure> {
    let known = value.as_str().and_then(|word| words.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)));
    let all_known = || words.iter().map(|&(word, _)| word).collect::<Vec<_>>().join(", ");
    known.map(|&(_, meaning)| meaning).ok_or_else(|| expected(&format!("{field} to be one of {}", all_known())))
}

fn truth(field: &str, value: &Value) -> Result<bool, Failure> {
    value.as_bool().ok_or_else(|| expected(&format!("{field} to be true or false")))
}

/// KGS forbids repetition under Chinese rules, as the printed rules do and most tournaments do not.
fn kgs_rules(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let name = match arguments.word("a ruleset")?.to_ascii_lowercase().as_str() {
        "chinese" => "chinese-kgs",
        "aga" => "aga",
        "japanese" => "japanese",
        "new_zealand" => "new-zealand",
        _ => return Err(Failure::UnknownRules),
    };
    session.engine.set_rules(Rules::by_name(name).ok_or(Failure::UnknownRules)?);
    DONE
}
