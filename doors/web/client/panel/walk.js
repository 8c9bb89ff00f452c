// The bar under the board: walk through the game, and where we are in it.

import { h, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { buttonRow } from "../button.js";

export function walkBar(app) {
  const back = buttonRow(app, bare(["first", "back10", "back"]), "walk-buttons");
  const forth = buttonRow(app, bare(["forward", "forward10", "last"]), "walk-buttons");
  const where = h("output", { class: "where" });
  const element = h("nav", { class: "walk", "aria-label": t("panel.walk") }, back.element, where, forth.element);
  return {
    element,
    update() {
      const { game } = app;
      element.classList.toggle("idle", !game.info);
      const node = game.node();
      if (!node) return setText(where, "");
      const total = game.line().at(-1)?.number ?? node.number;
      setText(where, t("walk.where", { number: node.number, total }));
    },
  };
}

const bare = (names) => Object.fromEntries(names.map((name) => [name, { icon: name, words: false, class: "quiet" }]));
