// A button for a command: its words, its key in the tooltip, greyed out or pressed as the game stands.

import { h, icon, setText } from "./dom.js";
import { t } from "./i18n/i18n.js";
import { COMMANDS, keyName, label, run } from "./commands.js";

/** `look`: `{ icon, words: false for an icon alone, class, stops: when pressed, the next press means stop }`. The result updates itself with `update(app)`. */
export function commandButton(app, name, look = {}) {
  const command = COMMANDS[name];
  const words = label(name);
  const face = look.icon ? h("span", { class: "face" }, icon(look.icon)) : null;
  const caption = h("span", {}, words);
  const element = h(
    "button",
    {
      type: "button",
      class: `button ${look.class ?? ""}`,
      title: `${words} (${keyName(command.key)})`,
      "aria-label": words,
      "aria-keyshortcuts": command.key,
      dataset: { command: name },
      onclick: () => run(app, name),
    },
    face,
    look.words === false ? null : caption,
  );
  return {
    element,
    update() {
      const disabled = Boolean(command.when && !command.when(app));
      if (element.disabled !== disabled) element.disabled = disabled;
      if (!command.isOn) return;
      const isOn = Boolean(command.isOn(app));
      if (element.getAttribute("aria-pressed") === String(isOn)) return;
      element.setAttribute("aria-pressed", String(isOn));
      if (!look.stops) return;
      setText(caption, isOn ? t("command.stop") : words);
      face.replaceChildren(icon(isOn ? "stop" : look.icon));
    },
  };
}

/** Several command buttons in one row. */
export function buttonRow(app, looks, className = "row") {
  const buttons = Object.entries(looks).map(([name, look]) => commandButton(app, name, look));
  return {
    element: h("div", { class: className }, buttons.map((button) => button.element)),
    update: () => buttons.forEach((button) => button.update()),
  };
}
