// The nets there are to choose from, and the people some of them can play like.

import { rankText, t } from "../i18n/i18n.js";

const RANKS = [...Array.from({ length: 20 }, (_, i) => `${20 - i}k`), ...Array.from({ length: 9 }, (_, i) => `${i + 1}d`)];

/** The one the server was started with comes first; its name need not be known. */
export function netChoices(hello) {
  return [["", t("net.usual")], ...(hello?.nets ?? []).map(({ name }) => [name, name === "embedded" ? t("net.embedded") : name])];
}

export function likeChoices() {
  return [["", t("newGame.like.nobody")], ...RANKS.map((rank) => [`rank_${rank}`, t("newGame.likeIs", { rank: rankText(rank) })])];
}
