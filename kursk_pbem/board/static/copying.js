// @ts-check
// Copy the visible part of the map as a picture. If the browser refuses the clipboard, the picture is downloaded.
import { copy } from "./clipboard.js";
import { get } from "./dom.js";
import { picture, say } from "./page.js";
import { save, toPng } from "./share.js";

const SHEETS = ["/map.css", "/palette.css", "/overmap.css", "/planning.css"]; // a picture has no page

/** Return the rules of the map's styles. */
function styles() {
  const rules = [];
  for (const sheet of document.styleSheets) {
    const path = sheet.href ? new URL(sheet.href).pathname : "";
    if (SHEETS.some((name) => path.endsWith(name))) for (const rule of sheet.cssRules) rules.push(rule.cssText);
  }
  return rules.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
/** Return the visible part of the map as text of an SVG file. */
function written() {
  const { width, height } = picture.getBoundingClientRect();
  const back = getComputedStyle(get("map")).backgroundColor;
  const more = `#kursk{color-scheme:${isDark() ? "dark" : "light"};background:${back}}`;
  const text = new XMLSerializer().serializeToString(picture);
  const head = `<svg id="kursk" width="${width}" height="${height}" `;
  return text.replace("<svg ", head).replace(">", `><style>${styles()}\n${more}</style>`);
}
/** Return whether the page is dark now, by its theme or by the system. */
function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
async function copies() {
  const png = toPng(written());
  if (await copy("image/png", png)) return say(["Copied: paste the picture of the map into your mail or text."]);
  const name = `map-${(get("main").dataset.message || "").replaceAll(" ", "-")}.png`;
  try {
    save(await png, name);
    say([`This browser does not allow copying, so the picture is saved as ${name}.`]);
  } catch (fault) {
    say(["This browser cannot draw the map as a picture."], true);
  }
}
/** Add the listener. */
export function begin() {
  get("copy-map").addEventListener("click", copies);
}
