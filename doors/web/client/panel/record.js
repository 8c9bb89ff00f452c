// What is played here: board, rules and komi; and what the record tells about its game: event, date, place, result.

import { h, setText } from "../dom.js";
import { maybe, t } from "../i18n/i18n.js";
import { komiText } from "../numbers.js";
import { CHARSETS, readAgain } from "../dialog/open_record.js";
import { resultText } from "./status.js";

const TOLD = ["event", "round", "date", "place", "annotator", "source", "about"];

export function recordPanel(app) {
  const rules = h("p", { class: "rules" });
  const result = h("p", { class: "record-result" });
  const list = h("dl", { class: "record-facts" });
  const charset = h("select", { "aria-label": t("open.readAs"), onchange: () => charset.value && readAgain(app, charset.value) },
    h("option", { value: "" }, t("open.readAs")), CHARSETS.map((name) => h("option", { value: name }, name)));
  const element = h("section", { class: "record-card", "aria-label": t("record.title") }, rules, result, list, charset);
  let shown = "";
  return {
    element,
    update() {
      const { info, status } = app.game;
      element.hidden = !info;
      if (!info) return;
      const handicap = info.handicap > 1 ? ` · ${t("komi.handicap", { stones: info.handicap })}` : "";
      const isRecord = info.mode === "study";
      // A record that names no rules was not played under those that Jigo judges it by.
      const named = isRecord && !info.record.rules ? null : (maybe(`rules.${info.rules}`) ?? info.record.rules ?? info.rules);
      setText(rules, [`${info.size}×${info.size}`, named, t("komi.real", { komi: komiText(info.komi) })].filter(Boolean).join(" · ") + handicap);
      result.hidden = !isRecord || !info.record.result;
      if (!result.hidden) setText(result, status?.result ? resultText(status.result) : info.record.result);
      // Letters that make no sense were read in the wrong charset.
      charset.hidden = !(isRecord && app.opened && app.opened.how.charset !== "UTF-8" && app.opened.charset !== "UTF-8");
      const facts = TOLD.filter((name) => info.record[name]);
      const signature = facts.map((name) => info.record[name]).join("\n");
      list.hidden = !facts.length;
      if (signature === shown) return;
      shown = signature;
      list.replaceChildren(...facts.map((name) => h("div", {}, h("dt", {}, t(`record.${name}`)), h("dd", { dataset: { fact: name } }, info.record[name]))));
    },
  };
}
