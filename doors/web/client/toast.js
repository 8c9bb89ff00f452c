// Short notes that come and go by themselves, read out by a screen reader.

import { h } from "./dom.js";

const STAY = 4200;

export function toaster() {
  const element = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
  return {
    element,
    /** Returns how to take the note away before its time. */
    show(text, kind = "note") {
      const same = [...element.children].find((toast) => toast.textContent === text);
      same?.remove();
      const toast = h("div", { class: `toast ${kind}` }, text);
      element.append(toast);
      while (element.children.length > 3) element.firstChild.remove();
      setTimeout(() => toast.remove(), STAY);
      return () => toast.remove();
    },
  };
}
