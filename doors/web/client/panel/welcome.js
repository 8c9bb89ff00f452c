// What a first visitor sees beside a board that waits for the first stone; whoever was here before goes on where they were.

import { h, icon, setText } from "../dom.js";
import { gameName, rankText, t } from "../i18n/i18n.js";
import { run } from "../commands.js";
import { evenGame } from "../opponent.js";
import { miniBoard } from "../board/mini.js";

export function welcomePanel(app) {
  const start = (size) =>
    h(
      "button",
      { type: "button", class: "button primary size", dataset: { size }, onclick: () => app.begin({ type: "new", size, color: "black", ...evenGame(app) }) },
      h("strong", {}, `${size}×${size}`),
      h("span", {}, t(`welcome.size${size}`)),
    );
  const other = (name, picture) => h("button", { type: "button", class: "button", onclick: () => run(app, name) }, icon(picture), h("span", {}, t(`command.${name}`)));
  const free = h(
    "button",
    { type: "button", class: "button", onclick: () => app.begin({ type: "new", size: 19, color: "both" }) },
    icon("pencil"),
    h("span", {}, t("welcome.free")),
  );
  const opponent = h("p", { class: "opponent" });
  const thumb = h("span", { class: "thumb" });
  const words = h("span", { class: "game-words" });
  let last = null;
  const goOn = h("button", { type: "button", class: "button continue", hidden: true, onclick: () => last && app.join(last.id) }, thumb, words);
  const element = h(
    "section",
    { class: "welcome" },
    h("h2", {}, t("welcome.title")),
    goOn,
    h("p", {}, t("welcome.text")),
    h("div", { class: "sizes" }, [9, 13, 19].map(start)),
    opponent,
    h("div", { class: "stack" }, other("newGame", "plus"), other("openRecord", "open"), other("games", "folder"), other("train", "bulb"), free),
  );
  let asked = false;

  /** Who waits at the other side of the board, before anybody begins. */
  function tellOpponent() {
    const { level, handicap } = evenGame(app);
    const known = app.game.hello.levels.find((entry) => entry.level === level);
    const stones = handicap ? ` (${t("komi.handicap", { stones: handicap })})` : "";
    setText(opponent, t("welcome.opponent", { rank: rankText(known?.rank) + stones }));
  }

  async function findLast() {
    const answer = await app.askFor({ type: "games", most: 1 }, "games", { isQuiet: true });
    [last] = answer?.games ?? [];
    goOn.hidden = !last;
    if (!last) return;
    thumb.replaceChildren(miniBoard(last.size, last.stones));
    const isOpen = last.mode === "play" && !last.result;
    words.replaceChildren(h("strong", {}, t(isOpen ? "welcome.continue" : "welcome.lookAgain")), h("span", {}, gameName(last.name)));
  }

  return {
    element,
    update() {
      element.hidden = Boolean(app.game.info) || !app.game.hello;
      if (element.hidden) asked = false;
      else if (!asked) {
        asked = true;
        tellOpponent();
        findLast();
      }
    },
  };
}
