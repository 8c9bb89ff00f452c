// A modal dialog on the browser's own <dialog>: focus stays inside, Escape closes, focus returns.

import { h, icon } from "../dom.js";
import { t } from "../i18n/i18n.js";

/** Opens a dialog with a title and content; returns it and a `close` function. */
export function openDialog(title, content, className = "") {
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: `dialog ${className}`, "aria-label": title },
    h(
      "header",
      {},
      h("h2", {}, title),
      h("button", { type: "button", class: "button quiet", "aria-label": t("dialog.close"), title: t("dialog.close"), onclick: close }, icon("close")),
    ),
    content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  // A press on the backdrop is a press on the dialog element itself.
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && close());
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, close };
}

/** Asks one question; calls `yes` when the answer is yes. Enter alone never does what cannot be taken back. */
export function confirm(question, answer, yes, { isHarmless = false } = {}) {
  const { close } = openDialog(
    question,
    h(
      "div",
      { class: "row end" },
      h("button", { type: "button", class: "button", autofocus: !isHarmless, onclick: () => close() }, t("dialog.cancel")),
      h("button", { type: "button", class: `button ${isHarmless ? "primary" : "danger"}`, dataset: { answer: "yes" }, autofocus: isHarmless, onclick: () => { close(); yes(); } }, answer),
    ),
    "small",
  );
}

/** A labelled field. */
export function field(label, control, note) {
  return h("label", { class: "field" }, h("span", { class: "field-name" }, label), control, note ? h("small", {}, note) : null);
}

export function select(name, choices, value, onchange) {
  const element = h("select", { name, onchange: () => onchange?.(element.value) });
  for (const [key, words] of choices) element.append(h("option", { value: key, selected: String(key) === String(value) }, words));
  return element;
}
