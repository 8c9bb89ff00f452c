// The nets there are to choose from, and the people some of them can play like.

import { rankText, t } from "../i18n/i18n.js";

const RANKS = [...Array.from({ length: 20 }, (_, i) => `${20 - i}k`), ...Array.from({ length: 9 }, (_, i) => `${i + 1}d`)];

/** The one the server was started with comes first; its name need not be known. */
export function netChoices(hello) {
  const nets = hello?.nets ?? [];
  const short = nets.map(({ name }) => shortName(name));
  const words = ({ name, people }, at) => {
    if (name === "embedded") return t("net.embedded");
    const told = short.indexOf(short[at]) === short.lastIndexOf(short[at]) ? short[at] : name;
    return people ? t("net.people", { name: told }) : told;
  };
  return [["", t("net.usual")], ...nets.map((net, at) => [net.name, words(net, at)])];
}

/** KataGo's files end in how long they were trained, which nobody chooses by: kata1-b18c384nbt-s9996604416-d4316597426. */
function shortName(name) {
  return name.replace(/-s\d+-d\d+$/, "");
}

export function likeChoices() {
  return [["", t("newGame.like.nobody")], ...RANKS.map((rank) => [`rank_${rank}`, t("newGame.likeIs", { rank: rankText(rank) })])];
}
