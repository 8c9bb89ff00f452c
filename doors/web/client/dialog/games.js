// Saved games: resume, rename, delete.

import { h, icon } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { confirm, openDialog } from "./dialog.js";

export async function gamesDialog(app) {
  const list = h("ul", { class: "games" });
  const { close } = openDialog(t("command.games"), list, "games-dialog");

  async function refresh() {
    const answer = await app.askFor({ type: "games" }, "games");
    const games = answer?.games ?? [];
    list.replaceChildren(...(games.length ? games.map(row) : [h("li", { class: "empty" }, t("games.none"))]));
  }

  function row(game) {
    const open = () => {
      close();
      app.join(game.id);
    };
    const name = h(
      "button",
      { type: "button", class: "game-open", dataset: { game: game.id }, onclick: open },
      h("strong", {}, game.name),
      h("span", {}, `${game.size}×${game.size} · ${t("games.moves", { count: game.moves })} · ${game.result ?? (game.mode === "play" ? t("games.unfinished") : t("games.noResult"))} · ${when(game.changed)}`),
    );
    const tool = (label, picture, onclick) => h("button", { type: "button", class: "button quiet", title: t(label), "aria-label": `${t(label)}: ${game.name}`, onclick }, icon(picture));
    return h(
      "li",
      { "aria-current": String(app.game.info?.id === game.id) },
      name,
      tool("games.rename", "pencil", () => rename(game, name)),
      tool("games.delete", "trash", () => confirm(t("games.deleteAsk", { name: game.name }), t("games.delete"), () => app.ask({ type: "remove", game: game.id }).then(refresh))),
    );
  }

  function rename(game, place) {
    const input = h("input", { value: game.name, maxLength: 100, "aria-label": t("games.rename") });
    let isDone = false;
    const finish = (save) => {
      if (isDone) return;
      isDone = true;
      const name = input.value.trim();
      if (save && name && name !== game.name) app.ask({ type: "rename", game: game.id, name }).then(refresh);
      else refresh();
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

  await refresh();
}

function when(seconds) {
  return new Date(seconds * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}
