// @ts-check
// The ruler: a drag measures inches on a table top, hexes on a map.
import { get, shape } from "./dom.js";
import { back, inch, picture, plane, say } from "./page.js";
import { strokes } from "./strokes.js";
/** @typedef {import("./strokes.js").End} End */

const layer = shape("g", { id: "layer-ruler", "aria-hidden": "true" });
const TALL = Math.sqrt(3) / 2;
let on = false;

/** Return the shape of all hexes: the distance of neighbors, and whether the hexes have a corner at the top. */
function grid() {
  const hex = /** @type {SVGGraphicsElement | null} */ (picture.querySelector(".hits path"));
  const box = hex ? hex.getBBox() : { width: 1, height: 1 };
  return { far: Math.min(box.width, box.height), peaked: box.height > box.width };
}
/** Return the number of hexes from one hex to another. @param {number} across @param {number} down */
function hexes(across, down) {
  const { far, peaked } = grid();
  const [x, y] = peaked ? [across, down] : [down, across];
  // the hexes at one distance form a hexagon, whose sides are at right angles to these three directions
  const most = Math.max(Math.abs(y), Math.abs(x * TALL + y / 2), Math.abs(x * TALL - y / 2));
  return Math.round(most / (far * TALL));
}
/** Return the distance in words. @param {End} from @param {End} to */
function measured(from, to) {
  const [across, down] = [to.point[0] - from.point[0], to.point[1] - from.point[1]];
  if (plane) return `${(Math.hypot(across, down) / inch).toFixed(2)} inches`;
  if (!from.place || !to.place) return "";
  const count = hexes(across, down);
  return `${count} ${count === 1 ? "hex" : "hexes"}`;
}
/** @param {End} from @param {End} to */
function draw(from, to) {
  const text = measured(from, to);
  const [[x1, y1], [x2, y2]] = [from.point, to.point];
  const line = { x1, y1, x2, y2 };
  const per = Number(picture.style.getPropertyValue("--per")) || 1;
  layer.replaceChildren(
    shape("line", { class: "ruler-edge", ...line }),
    shape("line", { class: "ruler-line", ...line }),
    ...[from, to].map(({ point: [cx, cy] }) => shape("circle", { class: "ruler-end", cx, cy })),
    shape("text", { class: "ruler-text", x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 10 * per }, text),
  );
  return text;
}
/** Turn the ruler on or off. @param {boolean} [wanted] */
export function turn(wanted = !on) {
  on = wanted;
  get("ruler").setAttribute("aria-pressed", String(on));
  get("map").classList.toggle("measuring", on);
  layer.replaceChildren();
  const what = plane ? "inches" : "hexes";
  if (on) say([`Drag from point to point to measure ${what}. ${back} ends the ruler.`]);
}
/** Turn the ruler off; return whether the ruler was on. */
export function off() {
  const was = on;
  if (was) turn(false);
  return was;
}
/** Add the listeners. */
export function begin() {
  get("layer-hand").after(layer);
  strokes((event) => on && event.button === 0 && !(/** @type {Element} */ (event.target).closest("#mini")), {
    over: draw,
    done: (from, to) => {
      const text = draw(from, to);
      const where = from.place && to.place ? ` from ${from.place} to ${to.place}` : "";
      if (text) say([`${text}${where}.`]);
    },
    click: () => layer.replaceChildren(),
    leave: () => layer.replaceChildren(),
  });
  get("map").addEventListener("click", (event) => on && event.stopPropagation(), { capture: true });
}
