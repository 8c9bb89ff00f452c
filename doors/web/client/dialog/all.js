// Every dialog by name, for the commands.

import { t } from "../i18n/i18n.js";
import { clusterDialog } from "./cluster.js";
import { confirm } from "./dialog.js";
import { gamesDialog } from "./games.js";
import { newGameDialog } from "./new_game.js";
import { openRecordDialog } from "./open_record.js";
import { settingsDialog } from "./settings.js";
import { shortcutsDialog } from "./shortcuts.js";

export function buildDialogs(app) {
  return {
    newGame: () => newGameDialog(app),
    openRecord: () => openRecordDialog(app),
    games: () => gamesDialog(app),
    cluster: () => clusterDialog(app),
    settings: () => settingsDialog(app),
    shortcuts: () => shortcutsDialog(),
    pass: () => confirm(t("dialog.passAsk"), t("command.pass"), () => app.play("pass"), { isHarmless: true }),
    resign: () => confirm(t("dialog.resignAsk"), t("command.resign"), () => app.ask({ type: "resign" })),
    deleteBranch: () => confirm(t("dialog.deleteBranchAsk"), t("games.delete"), () => app.ask({ type: "delete", node: app.game.position.node })),
  };
}
