// Words of the interface in the reader's language. One file per language, all with the keys of `en.js`.

import english from "./en.js";

export const LANGUAGES = { en: "English", ja: "日本語", zh: "中文", ko: "한국어" };

let words = english;
// Of these four languages only English tells one thing from many.
let ofOne = english;

/** Picks the language asked for, or the browser's, and loads its words. */
export async function useLanguage(choice) {
  const wanted = choice !== "auto" ? [choice] : navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  const language = wanted.find((tag) => tag in LANGUAGES) ?? "en";
  if (language !== "en") [words, ofOne] = [{ ...english, ...(await import(`./${language}.js`)).default }, {}];
  document.documentElement.lang = language;
}

/** The words for `key`, with `{name}` filled in from `values`. */
export function t(key, values) {
  const found = (values?.count === 1 && ofOne[`${key}.one`]) || (words[key] ?? key);
  return found.replace(/\{(\w+)\}/g, (whole, name) => values?.[name] ?? whole);
}

/** As `t`, but null when there are no such words: for keys that come from the server. */
export function maybe(key, values) {
  return key in words ? t(key, values) : null;
}

// The names that a server gives to games nobody has named.
const USUAL_NAMES = { "with Jigo": "name.withJigo", "two players": "name.twoPlayers", "Jigo with itself": "name.alone" };

/** What a game is called, in the reader's language if nobody gave it a name. */
export function gameName(name) {
  if (name === "a game") return t("open.nameless");
  const [, size, who] = /^(\d+)x\1, (.+)$/.exec(name) ?? [];
  return who in USUAL_NAMES ? t(USUAL_NAMES[who], { size }) : name;
}

/** "12k" or "3d" in the reader's language; anything else as it is. */
export function rankText(rank) {
  const parts = /^(\d+)([kd])$/.exec(rank ?? "");
  return parts ? t(`rank.${parts[2]}`, { n: parts[1] }) : (rank ?? "");
}

/** A refusal of the server in the reader's language: as exactly as there are words for it. */
export function complaint({ type, reason, code, why, values }) {
  const key = type === "illegal" ? `illegal.${reason}` : `error.${code}`;
  return maybe(`${key}.${why}`, values) ?? maybe(key, values) ?? t("error.unknown");
}
