// Opening records: choose files, drop them (or whole folders) anywhere on the page, or paste the text. The server reads the bytes: it
// knows charsets, collections, and how much of a damaged file can be read.

import { h } from "../dom.js";
import { complaint, t } from "../i18n/i18n.js";
import { field, openDialog, select } from "./dialog.js";

// As much as the server takes.
const LARGEST = 16 << 20;
/** Of many files it is told how far they are. */
const TELL_EVERY = 100;
const CHARSETS = ["UTF-8", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "windows-1251", "windows-1252"];

export function openRecordDialog(app) {
  const file = h("input", { type: "file", accept: ".sgf,application/x-go-sgf", name: "file", multiple: true });
  const text = h("textarea", { name: "sgf", rows: 8, placeholder: "(;GM[1]FF[4]SZ[19] …", "aria-label": t("open.paste"), spellcheck: false, autofocus: true });
  const charset = select("charset", [["", t("open.charsetAuto")], ...CHARSETS.map((name) => [name, name])], "");
  const wrong = h("p", { class: "wrong wide", role: "alert", hidden: true });
  const form = h(
    "form",
    { class: "form", method: "dialog" },
    h("label", { class: "field wide drop" }, h("span", { class: "field-name" }, t("open.file")), file),
    field(t("open.charset"), charset),
    h("label", { class: "field wide" }, h("span", { class: "field-name" }, t("open.paste")), text),
    wrong,
    h("div", { class: "row end wide" }, h("button", { class: "button primary", type: "submit", dataset: { answer: "open" } }, t("open.open"))),
  );
  const { close } = openDialog(t("command.openRecord"), form, "open-record");
  // What cannot be read stays where it is, with the reason below it.
  const finish = (why) => {
    if (!why) return close();
    wrong.textContent = why;
    wrong.hidden = false;
  };
  file.addEventListener("change", async () => {
    if (file.files.length) finish(await openFiles(app, [...file.files], charset.value));
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!text.value.trim()) return text.focus();
    finish(await openBytes(app, new TextEncoder().encode(text.value), { charset: "UTF-8" }));
  });
}

/** Several files are kept in the library, one is opened. Resolves to what went wrong, or null. */
async function openFiles(app, files, charset) {
  if (files.length === 1) {
    const [file] = files;
    const bytes = new Uint8Array(await file.arrayBuffer());
    return openBytes(app, bytes, { name: file.name.replace(/\.sgf$/i, ""), charset });
  }
  let kept = 0;
  let bad = 0;
  let forget = () => {};
  for (const [done, file] of files.entries()) {
    if (done % TELL_EVERY === TELL_EVERY - 1) {
      forget();
      forget = app.toast(t("open.reading", { done, total: files.length }));
    }
    const taken = file.size > LARGEST ? null : await send(new Uint8Array(await file.arrayBuffer()), { charset, pick: "all" });
    kept += taken?.kept ?? 0;
    if (!taken?.kept) bad += 1;
  }
  forget();
  app.toast(t("open.kept", { count: kept }));
  if (bad) app.toast(t("open.bad", { count: bad }), "error");
  app.dialogs.games();
  return null;
}

/** Opens the game in the bytes; of several the reader chooses. Resolves to what went wrong, or null. */
export async function openBytes(app, bytes, how) {
  if (bytes.length > LARGEST) return t("open.tooLarge");
  const taken = await send(bytes, how);
  if (!taken) return t("error.connection");
  if (taken.type === "error") return complaint(taken);
  if (!taken.opened) {
    chooseGame(app, bytes, how, taken);
    return null;
  }
  app.settings.set("tab", "review");
  app.opened = { bytes, how, charset: taken.charset };
  await app.join(taken.opened);
  if (taken.is_cut) app.toast(t("open.cut"));
  return null;
}

async function send(bytes, how) {
  const query = new URLSearchParams(Object.entries(how).filter(([, value]) => value));
  try {
    const answer = await fetch(`/api/records?${query}`, { method: "POST", body: bytes, headers: { "content-type": "application/x-go-sgf" } });
    if (answer.status === 413) return { type: "error", code: "too_large" };
    return await answer.json();
  } catch {
    return null;
  }
}

function chooseGame(app, bytes, how, { games }) {
  const name = (game) => (game.black || game.white ? `${game.black} – ${game.white}` : game.event || t("open.nameless"));
  const about = (game) => [`${game.size}×${game.size}`, t("games.moves", { count: game.moves }), game.result, game.date, game.event].filter(Boolean).join(" · ");
  const open = async (index) => {
    const why = await openBytes(app, bytes, { ...how, name: "", pick: String(index) });
    if (why) app.toast(why, "error");
    else close();
  };
  const keepAll = async () => {
    const taken = await send(bytes, { ...how, name: "", pick: "all" });
    close();
    app.toast(t("open.kept", { count: taken?.kept ?? 0 }));
  };
  const rows = games.map((game, index) =>
    h("li", {}, h("button", { type: "button", class: "game-open", dataset: { pick: index }, onclick: () => open(index) }, h("strong", {}, name(game)), h("span", {}, about(game)))));
  const { close } = openDialog(
    t("open.choose", { count: games.length }),
    h("div", {}, h("div", { class: "row end" }, h("button", { type: "button", class: "button", dataset: { answer: "all" }, onclick: keepAll }, t("open.keepAll"))), h("ul", { class: "games" }, rows)),
    "choose-game",
  );
}

/** The same file again, read in another charset. */
export async function readAgain(app, charset) {
  if (!app.opened) return;
  const why = await openBytes(app, app.opened.bytes, { ...app.opened.how, charset });
  if (why) app.toast(why, "error");
}

export { CHARSETS };

/** The whole page takes files, folders and pasted records. */
export function acceptRecords(app) {
  const page = document.documentElement;
  const tell = async (work) => {
    const why = await work;
    if (why) app.toast(why, "error");
  };
  page.addEventListener("dragover", (event) => {
    event.preventDefault();
    page.classList.add("dropping");
  });
  page.addEventListener("dragleave", (event) => event.relatedTarget === null && page.classList.remove("dropping"));
  page.addEventListener("drop", async (event) => {
    event.preventDefault();
    page.classList.remove("dropping");
    const text = event.dataTransfer.getData("text");
    // Entries have to be taken before the first wait; after it the list is empty.
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const plain = [...event.dataTransfer.files];
    const files = entries.some((entry) => entry.isDirectory) ? (await Promise.all(entries.map(filesOf))).flat() : plain;
    if (files.length) tell(openFiles(app, files));
    else if (text.includes("(;")) tell(openBytes(app, new TextEncoder().encode(text), { charset: "UTF-8" }));
  });
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData.getData("text");
    if (/\(\s*;/.test(text)) tell(openBytes(app, new TextEncoder().encode(text), { charset: "UTF-8" }));
  });
}

/** All records in a dropped file or folder. */
async function filesOf(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return /\.sgf$/i.test(file.name) ? [file] : [];
  }
  const reader = entry.createReader();
  const inside = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map(filesOf))).flat();
}
