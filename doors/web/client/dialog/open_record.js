// Opening a record: choose a file, drop one anywhere on the page, or paste its text.

import { h } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { openDialog } from "./dialog.js";

// As much as the server takes in one message, with room for its envelope.
const LARGEST = 1_000_000;

export function openRecordDialog(app) {
  const file = h("input", { type: "file", accept: ".sgf,application/x-go-sgf", name: "file" });
  const text = h("textarea", { name: "sgf", rows: 8, placeholder: "(;GM[1]FF[4]SZ[19] …", "aria-label": t("open.paste"), spellcheck: false, autofocus: true });
  const form = h(
    "form",
    { class: "form", method: "dialog" },
    h("label", { class: "field wide drop" }, h("span", { class: "field-name" }, t("open.file")), file),
    h("label", { class: "field wide" }, h("span", { class: "field-name" }, t("open.paste")), text),
    h("div", { class: "row end wide" }, h("button", { class: "button primary", type: "submit", dataset: { answer: "open" } }, t("open.open"))),
  );
  const { close } = openDialog(t("command.openRecord"), form, "open-record");
  file.addEventListener("change", () => {
    if (!file.files[0]) return;
    close();
    openFile(app, file.files[0]);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!text.value.trim()) return text.focus();
    close();
    loadRecord(app, text.value);
  });
}

/** Records come in the charset of their time and place; the SGF itself may name it. */
async function openFile(app, file) {
  if (file.size > LARGEST) return app.toast(t("open.tooLarge"), "error");
  const bytes = new Uint8Array(await file.arrayBuffer());
  loadRecord(app, decode(bytes), file.name.replace(/\.sgf$/i, ""));
}

function decode(bytes) {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  const named = /CA\[([^\]]+)\]/.exec(head)?.[1];
  for (const charset of [named, "utf-8", "gb18030", "shift_jis", "euc-kr"].filter(Boolean)) {
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    } catch {
      // Not this one; the next may fit.
    }
  }
  return new TextDecoder("latin1").decode(bytes);
}

export function loadRecord(app, sgf, name) {
  app.settings.set("tab", "review");
  return app.ask({ type: "load", sgf, ...(name ? { name } : {}) });
}

/** The whole page takes files and pasted records. */
export function acceptRecords(app) {
  const page = document.documentElement;
  page.addEventListener("dragover", (event) => {
    event.preventDefault();
    page.classList.add("dropping");
  });
  page.addEventListener("dragleave", (event) => event.relatedTarget === null && page.classList.remove("dropping"));
  page.addEventListener("drop", (event) => {
    event.preventDefault();
    page.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData("text");
    if (file) openFile(app, file);
    else if (text.includes("(;")) loadRecord(app, text);
  });
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData.getData("text");
    if (/\(\s*;/.test(text)) loadRecord(app, text);
  });
}
