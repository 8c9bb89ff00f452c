// What a first visitor sees beside the empty board: three sizes to start with, or a record to open.

import { h, icon } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { run } from "../commands.js";

export function welcomePanel(app) {
  const start = (size) =>
    h(
      "button",
      { type: "button", class: "button primary size", dataset: { size }, onclick: () => app.begin({ type: "new", size, color: "black" }) },
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
  const element = h(
    "section",
    { class: "welcome" },
    h("h2", {}, t("welcome.title")),
    h("p", {}, t("welcome.text")),
    h("div", { class: "sizes" }, [9, 13, 19].map(start)),
    h("div", { class: "stack" }, other("newGame", "plus"), other("openRecord", "open"), other("games", "folder"), free),
  );
  return {
    element,
    update() {
      element.hidden = Boolean(app.game.info) || !app.game.hello;
    },
  };
}
