// Light or dark: as the system says, until a person says otherwise.

const dark = matchMedia("(prefers-color-scheme: dark)");

export function isDark(settings) {
  const theme = settings.get("theme");
  return theme === "auto" ? dark.matches : theme === "dark";
}

export function applyTheme(settings) {
  document.documentElement.dataset.theme = isDark(settings) ? "dark" : "light";
}

export function followSystem(settings) {
  dark.addEventListener("change", () => applyTheme(settings));
}
