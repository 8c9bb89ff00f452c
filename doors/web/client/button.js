// A button for a command: its words, its key in the tooltip, greyed out or pressed as the game stands.

import { h, icon, setText } from "./dom.js";
import { maybe, t } from "./i18n/i18n.js";
import { COMMANDS, keyName, label, run } from "./commands.js";

// What starts something long shows how to stop it.
export const STOPS = { icon: "stop", words: "command.stop" };

/** `look`: `{ icon, words: false for an icon alone or a key for other words, class, on: { icon, words } while it is switched on }`. The result updates itself with `update(app)`. */
export function commandButton(app, name, look = {}) {
  const command = COMMANDS[name];
  const words = look.words ? t(look.words) : label(name);
  const hint = maybe(`hint.${name}`);
  const face = look.icon ? h("span", { class: "face" }, icon(look.icon)) : null;
  const caption = h("span", {}, words);
  let wasOn = null;
  const element = h(
    "button",
    {
      type: "button",
      class: `button ${look.class ?? ""}`,
      title: `${words} (${keyName(command.key)})${hint ? `: ${hint}` : ""}`,
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
      if (look.isShy) element.hidden = disabled;
      if (!command.isOn) return;
      const isOn = Boolean(command.isOn(app));
      if (isOn === wasOn) return;
      wasOn = isOn;
      // A button whose words change says what it does now; only one whose words stay is a switch.
      const changing = look.on?.words;
      if (changing) element.classList.toggle("running", isOn);
      else element.setAttribute("aria-pressed", String(isOn));
      if (!look.on) return;
      const said = isOn && changing ? t(changing) : words;
      setText(caption, said);
      element.setAttribute("aria-label", said);
      face?.replaceChildren(icon(isOn ? look.on.icon : look.icon));
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
