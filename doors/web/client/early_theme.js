// Runs before the first paint, so that a chosen theme does not flash in the other one. A classic script on purpose: modules wait.

try {
  const { theme } = JSON.parse(localStorage.getItem("jigo.settings") ?? "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Nothing stored, or nothing readable: the system's theme it is.
}
