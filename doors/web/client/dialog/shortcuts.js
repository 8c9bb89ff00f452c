// The list of shortcuts, on `?`.

import { h } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { COMMANDS, keyName, label } from "../commands.js";
import { openDialog } from "./dialog.js";

export function shortcutsDialog() {
  const groups = Map.groupBy(Object.entries(COMMANDS), ([, command]) => command.group);
  const sections = [...groups].map(([group, commands]) =>
    h(
      "section",
      {},
      h("h3", {}, t(`group.${group}`)),
      h("dl", {}, commands.map(([name, command]) => h("div", {}, h("dt", {}, h("kbd", {}, keyName(command.key))), h("dd", {}, label(name))))),
    ),
  );
  openDialog(t("command.shortcuts"), h("div", {}, h("p", { class: "hint" }, t("shortcuts.board")), h("div", { class: "shortcut-groups" }, sections)), "shortcuts");
}
