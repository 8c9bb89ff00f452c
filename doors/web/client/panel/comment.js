// The comment of the node in view, written back when the writer pauses or leaves.

import { h } from "../dom.js";
import { t } from "../i18n/i18n.js";

const PAUSE = 700;
const LONGEST = 10_000;

export function commentPanel(app) {
  let node = null;
  let timer = null;
  const text = h("textarea", { rows: 3, maxLength: LONGEST, placeholder: t("comment.placeholder"), "aria-label": t("comment.title") });
  const element = h("section", { class: "comment" }, h("h3", {}, t("comment.title")), text);

  function store() {
    clearTimeout(timer);
    timer = null;
    const known = app.game.nodes.get(node);
    if (known && (known.comment ?? "") !== text.value) app.ask({ type: "comment", node, text: text.value });
  }
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(store, PAUSE);
  });
  text.addEventListener("blur", store);
  text.addEventListener("keydown", (event) => event.key === "Escape" && text.blur());

  return {
    element,
    edit: () => text.focus(),
    update() {
      const here = app.game.node();
      if (here?.id !== node && timer !== null) store();
      // What somebody is writing is not overwritten by what comes from elsewhere.
      if (here?.id === node && document.activeElement === text) return;
      node = here?.id ?? null;
      const comment = here?.comment ?? "";
      if (text.value !== comment) text.value = comment;
      text.disabled = !here;
    },
  };
}
