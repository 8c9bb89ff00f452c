// Settings: theme, language, what the board shows, sound.

import { h } from "../dom.js";
import { LANGUAGES, rankText, t } from "../i18n/i18n.js";
import { field, openDialog, select } from "./dialog.js";
import { netChoices } from "./nets.js";

export function settingsDialog(app) {
  const { settings } = app;
  const check = (name) =>
    h("label", { class: "check" },
      h("input", { type: "checkbox", name, checked: settings.get(name), onchange: (event) => settings.set(name, event.target.checked) }),
      h("span", {}, t(`command.${name}`)));
  const themes = ["auto", "light", "dark"].map((theme) => [theme, t(`theme.${theme}`)]);
  const languages = [["auto", t("settings.languageAuto")], ...Object.entries(LANGUAGES)];
  const opponent = app.game.info?.mode === "play" && app.game.hello ? levelField(app) : null;
  openDialog(
    t("command.settings"),
    h(
      "div",
      { class: "form" },
      field(t("settings.theme"), select("theme", themes, settings.get("theme"), (value) => settings.set("theme", value))),
      field(t("settings.language"), select("language", languages, settings.get("language"), (value) => {
        settings.set("language", value);
        // All words change, and the game is on the server: starting again is the whole work.
        location.reload();
      })),
      opponent,
      opponent ? teacherField(app) : null,
      netField(app),
      h("div", { class: "checks wide" }, ["coordinates", "numbers", "sound"].map(check)),
      h("p", { class: "hint wide" }, t("settings.about", { version: app.game.hello?.version ?? "" })),
    ),
    "settings",
  );
}

function levelField(app) {
  const levels = app.game.hello.levels.map(({ level, rank }) => [level, t("newGame.levelIs", { level, rank: rankText(rank) })]);
  return field(t("newGame.level"), select("level", levels, app.game.info.level, (level) => app.ask({ type: "level", level: Number(level) })));
}

/** Which net judges positions, in all games; there is nothing to choose where there is only one. */
function netField(app) {
  const { hello } = app.game;
  if ((hello?.nets?.length ?? 0) < 2) return null;
  return field(t("settings.net"), select("net", netChoices(hello), hello.net ?? "", (net) => app.ask({ type: "net", net: net || null })));
}

function teacherField(app) {
  const choices = [["", t("newGame.teacher.off")], ...[2, 4, 6, 10].map((points) => [points, t("newGame.teacher.from", { points })])];
  const now = app.game.status?.teacher?.points ?? "";
  return field(t("newGame.teacher"), select("teacher", choices, now, (points) => app.ask({ type: "teacher", points: points ? Number(points) : null })));
}
