// What a person chose, kept in this browser and in step between its tabs.

const KEY = "jigo.settings";

const DEFAULTS = {
  theme: "auto",
  language: "auto",
  tab: "play",
  coordinates: true,
  numbers: false,
  sound: true,
  bestMoves: true,
  overlay: null,
  overlayValues: false,
  newGame: {},
  even: {},
  series: "lead",
  branch: "",
  depth: "normal",
  mistakes: { color: "both", least: 1.5, order: "played" },
  paces: {},
};

export class Settings {
  constructor(changed) {
    this.changed = changed;
    this.values = read();
    window.addEventListener("storage", (event) => {
      if (event.key !== KEY) return;
      // Which tab of the panel is open is each window's own affair.
      this.values = { ...read(), tab: this.values.tab };
      this.changed();
    });
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    if (this.values[name] === value) return;
    this.values[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.values));
    } catch {
      // A browser that stores nothing still plays; the choice then lasts until the tab closes.
    }
    this.changed();
  }

  toggle(name) {
    this.set(name, !this.get(name));
  }
}

function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}
