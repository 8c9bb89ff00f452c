// Building elements without markup strings: nothing a game or a name contains can ever become HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. `props` with a dash or `role` become attributes, `on*` listeners, everything else a property. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name.includes("-") || name === "role" || name === "for" || name === "list") element.setAttribute(name, value);
    else element[name] = value;
  }
  append(element, children);
  return element;
}

/** An SVG element; every prop is an attribute. */
export function svg(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  attributes(element, props);
  append(element, children);
  return element;
}

export function attributes(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    element.setAttribute(name, value);
  }
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child);
  }
}

/** Replaces the text only when it differs, so that a live update causes no layout work. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

const ICONS = {
  first: "M5 4v16M19 5l-9 7 9 7z",
  back10: "M11 6l-6 6 6 6M18 6l-6 6 6 6",
  back: "M15 5l-8 7 8 7z",
  forward: "M9 5l8 7-8 7z",
  forward10: "M6 6l6 6-6 6M13 6l6 6-6 6",
  last: "M19 4v16M5 5l9 7-9 7z",
  plus: "M12 5v14M5 12h14",
  folder: "M3 7a2 2 0 0 1 2-2h4l2 2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z",
  open: "M12 4v11M7 9l5-5 5 5M5 15v4h14v-4",
  save: "M12 4v11M7 10l5 5 5-5M5 15v4h14v-4",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  help: "M9 9a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 2.3M12 17.5v.01",
  machines: "M4 5h16v6H4zM4 13h16v6H4zM8 8v.01M8 16v.01",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  pass: "M5 12h14M13 6l6 6-6 6",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1.5 1.500 1.500 2.500h5c0-1 .7-1.700 1.500-2.500A6 6 0 0 0 12 3z",
  flag: "M6 21V4M6 5h11l-2.5 4L17 13H6",
  play: "M7 5l11 7-11 7z",
  stop: "M7 7h10v10H7z",
  deeper: "M12 4v12M6 11l6 6 6-6M5 20h14",
  close: "M6 6l12 12M18 6L6 18",
  pencil: "M4 20l1-4L16 5l3 3L8 19z",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
};

/** A line icon, drawn in the colour of the text around it. */
export function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: ICONS[name] }),
  );
}
