// Every dialog by name, for the commands. Those that are seldom wanted are fetched when they are.

import { t } from "../i18n/i18n.js";
import { confirm } from "./dialog.js";
import { newGameDialog } from "./new_game.js";
import { openRecordDialog } from "./open_record.js";

export function buildDialogs(app) {
  return {
    newGame: () => newGameDialog(app),
    openRecord: () => openRecordDialog(app),
    games: () => import("./games.js").then(({ gamesDialog }) => gamesDialog(app)),
    exportGame: () => import("./export.js").then(({ exportDialog }) => exportDialog(app)),
    cluster: () => import("./cluster.js").then(({ clusterDialog }) => clusterDialog(app)),
    settings: () => import("./settings.js").then(({ settingsDialog }) => settingsDialog(app)),
    shortcuts: () => import("./shortcuts.js").then(({ shortcutsDialog }) => shortcutsDialog()),
    pass: () => confirm(t("dialog.passAsk"), t("command.pass"), () => app.play("pass"), { isHarmless: true }),
    resign: () => confirm(t("dialog.resignAsk"), t("command.resign"), () => app.ask({ type: "resign" })),
    deleteBranch: () => confirm(t("dialog.deleteBranchAsk"), t("games.delete"), () => app.ask({ type: "delete", node: app.game.position.node })),
  };
}
