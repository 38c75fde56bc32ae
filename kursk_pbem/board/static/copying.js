// @ts-check
// Copy the visible part of the map as a picture. If the browser refuses the clipboard, the picture is downloaded.
import { copy } from "./clipboard.js";
import { get } from "./dom.js";
import { picture, say } from "./page.js";

const SHEETS = ["/map.css", "/palette.css", "/overmap.css", "/planning.css"]; // a picture has no page
const SHARP = 2; // pixels of the picture for a pixel of the screen

/** Return the rules of the map's styles. */
function styles() {
  const rules = [];
  for (const sheet of document.styleSheets) {
    const path = sheet.href ? new URL(sheet.href).pathname : "";
    if (SHEETS.some((name) => path.endsWith(name))) for (const rule of sheet.cssRules) rules.push(rule.cssText);
  }
  return rules.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
/** Return the map as text of an SVG file. @param {number} width @param {number} height */
function written(width, height) {
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
/** Return the visible part of the map as PNG. @returns {Promise<Blob>} */
async function drawn() {
  const { width, height } = picture.getBoundingClientRect();
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(written(width * SHARP, height * SHARP));
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: width * SHARP, height: height * SHARP });
  const pen = canvas.getContext("2d");
  if (pen) pen.drawImage(image, 0, 0);
  return new Promise((give, fail) => canvas.toBlob((blob) => (blob ? give(blob) : fail(new Error("no picture")))));
}
/** Save the picture as a file. @param {Blob} png */
function saves(png) {
  const name = `map-${(get("main").dataset.message || "").replaceAll(" ", "-")}.png`;
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(png), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  say([`This browser does not allow copying, so the picture is saved as ${name}.`]);
}
async function copies() {
  const png = drawn();
  if (await copy("image/png", png)) return say(["Copied: paste the picture of the map into your mail or text."]);
  try {
    saves(await png);
  } catch (fault) {
    say(["This browser cannot draw the map as a picture."], true);
  }
}
/** Add the listener. */
export function begin() {
  get("copy-map").addEventListener("click", copies);
}
