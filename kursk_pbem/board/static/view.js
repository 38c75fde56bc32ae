// @ts-check
// The visible part of the map. The view is saved for this window, other windows, and the next board at this port.
import { kurskCamera } from "./camera.js";
import { all, get, maybe } from "./dom.js";
import { counters, spot } from "./ground.js";
import { HEX, kurskMap } from "./map.js";
import { kurskNames } from "./names.js";
import { picture, plane, touch } from "./page.js";
import { kurskTags } from "./tags.js";

const [WIDE, HIGH, GAP] = [136, 156, 20]; // pixels of the small map before it is seen, and around it
const RADIUS = 900; // map units around the middle of a counter
const [NARROW, READABLE] = [600, 42]; // pixels of a small window, of a readable hex
/** @type {ReturnType<typeof kurskMap>} */
export let map;
/** @type {ReturnType<typeof kurskCamera>} */
export let camera;
/** Move the names of cities away from counters. */
export let names = /** @type {() => unknown} */ (() => {});

/**
 * @param {(event: MouseEvent, point: DOMPoint) => void} clicked
 * @param {(event: PointerEvent) => any} grab
 */
export function begin(clicked, grab) {
  map = kurskMap(get("map"), picture, clicked, grab);
  camera = kurskCamera(map, get("map"));
  const tags = kurskTags(picture, stood);
  if (plane) get("layer-names").append(...all("#map .layer-places .name"));
  const taken = () => [...stood(), ...tags(), ...lit()];
  names = plane ? () => [tags(), inside()] : kurskNames(picture, get("layer-names"), taken);
  document.addEventListener("filled", () => names());
  get("map").addEventListener("look", steady);
  get("map").addEventListener("look", small);
  get("map").addEventListener("look", () => names());
  get("map").addEventListener("pointerdown", () => camera.rest());
  get("mini").addEventListener("pointerdown", jumps);
  get("mini").addEventListener("pointermove", jumps);
  get("mini").addEventListener("click", (event) => event.stopPropagation());
  get("mini").addEventListener("pointerup", () => setTimeout(small));
  window.addEventListener("pagehide", () => kept(map.view()));
  const before = kept();
  if (before) return map.look(before);
  const at = counters().map(spot);
  if (!at.length) return;
  const [xs, ys] = [0, 1].map((axis) => at.map((point) => point[axis]));
  if (!plane) {
    map.show(half(xs), half(ys), 2);
    return attacks();
  }
  const [left, top, right, low] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const edge = 3.2 * RADIUS; // around all models, own and foreign
  map.look([left - edge, top - edge, right - left + 2 * edge, low - top + 2 * edge]);
}
/** Move the view to the attacks that wait for dice, to as many as it can hold. */
function attacks() {
  const [x, y, wide, high] = map.view();
  const [across, down] = [wide - 4 * RADIUS, high - 4 * RADIUS];
  let [left, right, top, low] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const pill of all("#layer-battles .burst")) {
    const [at, over] = (pill.dataset.middle || "").split(",").map(Number);
    const box = [Math.min(left, at), Math.max(right, at), Math.min(top, over), Math.max(low, over)];
    if (box[1] - box[0] <= across && box[3] - box[2] <= down) [left, right, top, low] = box;
  }
  if (left > right) return;
  const edge = 2 * RADIUS;
  const from = Math.min(left - edge, Math.max(x, right + edge - wide));
  map.look([from, Math.min(top - edge, Math.max(y, low + edge - high)), wide, high]);
}
/** Move the names of a table top that the edge of the window cuts. */
function inside() {
  const seen = get("map").getBoundingClientRect();
  for (const name of all("#layer-names .name, .range-text")) {
    name.style.translate = "";
    const { left, right } = name.getBoundingClientRect();
    const cut = Math.max(0, seen.left + GAP - left) - Math.max(0, right + GAP - seen.right);
    const down = name.classList.contains("name") ? 0 : 2 * GAP; // clear of the names that move, too
    if (cut && right > seen.left && left < seen.right)
      name.style.translate = `${cut * map.per()}px ${down * map.per()}px`;
  }
}
/** Return the places of the counters, in the position or in the film. @returns {[number, number][]} */
function stood() {
  return (maybe("layer-watch") ? all("#layer-watch [data-watched]") : counters()).map(spot);
}
/** Return the places of costs, odds and the mark around the chosen unit. @returns {[number, number][]} */
function lit() {
  const said = /** @type {unknown} */ (all("#map :is(.lit > text, .ring-text, .cursor)"));
  const boxes = /** @type {SVGGraphicsElement[]} */ (said).map((each) => each.getBBox());
  return boxes.map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
}
let scale = 0;
let size = "";
/** Keep the scale on a phone, where an open order makes the map lower. */
function steady() {
  const { clientWidth: across, clientHeight: down } = get("map");
  const before = size;
  size = `${across} ${down}`;
  if (!touch || !before || before === size) {
    scale = map.per();
    return;
  }
  const [x, y, wide, high] = map.view();
  map.look([x + (wide - across * scale) / 2, y + (high - down * scale) / 2, across * scale, down * scale]);
}
/** @param {number[]} list */
function half(list) {
  return list.sort((one, other) => one - other)[Math.floor(list.length / 2)];
}
/** @param {number[]} [view] @returns {number[] | null} */
function kept(view) {
  try {
    const place = location.pathname.split("/").slice(2).join("/"); // the secret path of each board differs
    for (const held of view ? [sessionStorage, localStorage] : []) held.setItem(place, JSON.stringify(view));
    return JSON.parse(sessionStorage.getItem(place) || localStorage.getItem(place) || "null");
  } catch (error) {
    return null;
  }
}
/** Show the visible part on the small map in a corner. The small map is hidden if the whole map is visible. */
export function small() {
  const [x, y, wide, high] = map.view();
  const [left, top, all, down] = map.whole;
  get("mini").hidden = (wide > all * 0.9 && high > down * 0.9) || !corner();
  const frame = /** @type {HTMLElement} */ (get("mini").querySelector("i"));
  const part = (/** @type {number} */ value) => `${Math.min(100, Math.max(0, value * 100))}%`;
  frame.style.left = part((x - left) / all);
  frame.style.top = part((y - top) / down);
  frame.style.right = part(1 - (x + wide - left) / all);
  frame.style.bottom = part(1 - (y + high - top) / down);
}
const CORNERS = ["", "low left", "left", "low"]; // classes of the small map
/**
 * Move the small map to the corner with the fewest counters and no battle; return whether there is one. A corner of the
 * map itself comes last, because the map cannot be moved from under the small map there.
 */
function corner() {
  const [mini, box] = [get("mini"), get("map").getBoundingClientRect()];
  if (mini.matches(":active")) return true;
  const seen = picture.getBoundingClientRect();
  const [x, y, across, down] = map.view();
  const [first, upper, length, height] = map.whole;
  const [aside, over] = [seen.width * map.per() - across, seen.height * map.per() - down].map((more) => more / 2);
  const [wide, high] = [mini.clientWidth || WIDE, mini.clientHeight || HIGH].map((size) => size + GAP);
  const marks = all("#map :is(.burst .tag > rect, .ring)").map((each) => each.getBoundingClientRect());
  const cards = counters().map((each) => each.getBoundingClientRect());
  const [found] = CORNERS.map((name) => {
    const left = name.includes("left") ? box.left : box.right - wide;
    const top = name.includes("low") ? box.bottom - high : box.top;
    const hides = (/** @type {DOMRect} */ one) =>
      one.width > 0 && one.x < left + wide && one.right > left && one.y < top + high && one.bottom > top;
    const beside = name.includes("left") ? x - aside <= first : x + across + aside >= first + length;
    const end = beside && (name.includes("low") ? y + down + over >= upper + height : y - over <= upper);
    const many = 1000 * marks.filter(hides).length + 500 * Number(end) + cards.filter(hides).length;
    return { name, many: many - Number(name === mini.className) / 2 };
  }).sort((one, other) => one.many - other.many);
  mini.className = found.name;
  return found.many < 1000;
}
/** Move the view by the small map. @param {PointerEvent} event */
function jumps(event) {
  event.stopPropagation();
  if (!(event.buttons & 1)) return;
  const shown = get("mini").getBoundingClientRect();
  const [left, top, all, down] = map.whole;
  const at = [(event.clientX - shown.x) / shown.width, (event.clientY - shown.y) / shown.height];
  map.to(left + at[0] * all, top + at[1] * down);
}
/** Show a counter, readable, with ``targets``. @param {[number, number]} point @param {[number, number][]} [targets] */
export function bring([x, y], targets) {
  const narrow = touch || get("map").clientWidth < NARROW;
  if (targets && targets.length) camera.follow([[x, y], ...targets]);
  else if (narrow && map.per() > HEX / READABLE) camera.look([x, y, HEX / READABLE]);
  else if (![-RADIUS, RADIUS].every((far) => map.seen(x + far, y + far))) map.to(x, y);
}
