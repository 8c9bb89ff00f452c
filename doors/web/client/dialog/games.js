// The library: every saved game with a picture of its last position, found by words, result, year or the position on the board.

import { h, icon, setText } from "../dom.js";
import { gameName, t } from "../i18n/i18n.js";
import { miniBoard } from "../board/mini.js";
import { confirm, openDialog } from "./dialog.js";

const PAGE = 60;
const PAUSE = 40;

export async function gamesDialog(app) {
  const list = h("ul", { class: "games" });
  const count = h("p", { class: "hint", role: "status" });
  const more = h("button", { type: "button", class: "button", onclick: () => show(shown) }, t("games.more"));
  const words = h("input", { type: "search", name: "text", placeholder: t("games.search"), "aria-label": t("games.search"), autofocus: true });
  const year = h("input", { name: "date", inputMode: "numeric", placeholder: t("games.year"), "aria-label": t("games.year"), size: 6 });
  const result = h("select", { name: "result", "aria-label": t("games.result") },
    [["", "any"], ["black", "black"], ["white", "white"], ["unfinished", "unfinished"]].map(([value, key]) => h("option", { value }, t(`games.result.${key}`))));
  const here = h("input", { type: "checkbox", name: "position", disabled: !app.game.position });
  const form = h("form", { class: "games-search", method: "dialog" }, words, result, year, h("label", { class: "check" }, here, h("span", {}, t("games.position"))));
  const { close } = openDialog(t("command.games"), h("div", { class: "library" }, form, count, list, more), "games-dialog");
  let shown = 0;
  let asked = 0;
  let timer = null;

  async function show(skip = 0) {
    const number = ++asked;
    const answer = await app.askFor({
      type: "games", skip, most: PAGE, position: here.checked,
      ...(words.value.trim() ? { text: words.value } : {}), ...(year.value.trim() ? { date: year.value } : {}), ...(result.value ? { result: result.value } : {}),
    }, "games");
    // Who types on has asked again meanwhile.
    if (number !== asked || !answer) return;
    const rows = answer.games.map(row);
    if (skip) list.append(...rows);
    else list.replaceChildren(...(rows.length ? rows : [h("li", { class: "empty" }, t(answer.total ? "games.noneFound" : "games.none"))]));
    shown = skip + rows.length;
    more.hidden = shown >= answer.found;
    setText(count, answer.total ? t("games.found", { found: answer.found, total: answer.total }) : "");
  }
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, PAUSE);
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  function row(game) {
    const open = () => {
      close();
      app.join(game.id);
    };
    const called = gameName(game.name);
    // Who was there is told once: a game with Jigo and a record named after its players say it already.
    const isTold = called !== game.name || [game.black, game.white].every((name) => game.name.includes(name));
    const players = (game.black || game.white) && !isTold ? `${game.black || "–"} – ${game.white || "–"}` : "";
    const about = [
      `${game.size}×${game.size}`, t("games.moves", { count: game.moves }),
      game.result ?? (game.mode === "play" ? t("games.unfinished") : t("games.noResult")), game.date ?? when(game.changed), game.event,
    ];
    const name = h(
      "button",
      { type: "button", class: "game-open", dataset: { game: game.id }, onclick: open },
      h("span", { class: "thumb" }, game.stones ? miniBoard(game.size, game.stones) : null),
      h("span", { class: "game-words" }, h("strong", {}, called), players ? h("span", {}, players) : null, h("span", {}, about.filter(Boolean).join(" · "))),
    );
    const tool = (label, picture, onclick) => h("button", { type: "button", class: "button quiet", title: t(label), "aria-label": `${t(label)}: ${called}`, onclick }, icon(picture));
    return h(
      "li",
      { "aria-current": String(app.game.info?.id === game.id) },
      name,
      tool("games.rename", "pencil", () => rename(game, name)),
      tool("games.delete", "trash", () => confirm(t("games.deleteAsk", { name: called }), t("games.delete"), () => app.ask({ type: "remove", game: game.id }).then(() => show()))),
    );
  }

  function rename(game, place) {
    const input = h("input", { value: gameName(game.name), maxLength: 100, "aria-label": t("games.rename"), class: "new-name" });
    let isDone = false;
    const finish = (save) => {
      if (isDone) return;
      isDone = true;
      const name = input.value.trim();
      if (save && name && name !== gameName(game.name)) app.ask({ type: "rename", game: game.id, name }).then(() => show());
      else show();
    };
    input.addEventListener("blur", () => finish(true));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") finish(true);
      if (event.key === "Escape") {
        event.preventDefault();
        finish(false);
      }
    });
    place.replaceWith(input);
    input.select();
  }

  await show();
}

function when(seconds) {
  return new Date(seconds * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}
