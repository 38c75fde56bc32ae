// @ts-check
// The events on the map of a replay: sliding counters, arrows, pills with dice.
import { get, shape } from "./dom.js";
import { data, pieces } from "./parts.js";
/** @typedef {import("./parts.js").Piece} Piece */
/** @typedef {import("./parts.js").Arrow} Arrow */

const [STEP, HALF, COUNT] = [90, 620, 690]; // how far counters of a stack are apart, half of one, where its number is
const [CAST, SLIDE] = [460, 700]; // a die beside a pill; milliseconds
const motion = window.matchMedia("(prefers-reduced-motion: no-preference)");

/** Draw a frame; counters slide from the frame before. @param {number} number @param {boolean} slides */
export function draw(number, slides) {
  const frame = data.frames[number];
  /** @type {Arrow[]} */
  const before = [];
  for (let back = number - 1; back >= 0 && data.frames[back].m === frame.m; back -= 1) {
    before.push(...data.frames[back].arrows);
  }
  get("overlay").setAttribute("href", "#overlay-" + frame.overlay);
  /** @type {Map<string, [Piece, string][]>} */
  const stacks = new Map();
  for (const [id, piece] of Object.entries(pieces(number))) {
    if (!piece) continue;
    const key = piece[0] + "," + piece[1];
    stacks.set(key, [...(stacks.get(key) || []), [piece, id]]);
  }
  const had = slides && motion.matches && number ? pieces(number - 1) : {};
  get("pieces").replaceChildren(...[...stacks.values()].flatMap((stack) => drawStack(stack, had, frame.arrows)));
  get("old").replaceChildren(...before.map((each) => arrow(each, true)));
  get("new").replaceChildren(...frame.arrows.map((each) => arrow(each, false)), ...frame.bursts.map(burst));
}
/** @param {[Piece, string][]} stack @param {Record<string, Piece | 0>} had @param {Arrow[]} arrows */
function drawStack(stack, had, arrows) {
  stack.sort((one, other) => one[0][3] - other[0][3]);
  const title = stack.map(([, id]) => `${data.names[id]} (${id})`).join(", ");
  const step = stack.length > 1 ? STEP / 2 : 0;
  const [[x, y]] = stack[0];
  const drawn = stack.slice(0, 2).map(([[, , look], id], place) => {
    const off = step * (1 - 2 * place);
    const used = shape("use", { href: "#look-" + look, x: x + off, y: y - off });
    used.appendChild(shape("title", {}, title));
    const was = had[id];
    if (was && (was[0] !== x || was[1] !== y)) slide(used, [was[0], was[1]], [x, y], arrows);
    return used;
  });
  if (!step) return drawn;
  const count = [
    shape("circle", { class: "count", cx: x + COUNT, cy: y + COUNT, r: 190 }),
    shape("text", { class: "count", x: x + COUNT, y: y + COUNT + 120 }, String(stack.length)),
  ];
  return [...drawn.reverse(), ...count];
}
/**
 * Slide a counter along the arrow of the move, or straight.
 * @param {Element} counter @param {[number, number]} from @param {[number, number]} to @param {Arrow[]} arrows
 */
function slide(counter, from, to, arrows) {
  /** @param {[number, number]} one @param {[number, number]} other */
  const near = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]) < 2 * HALF;
  const ways = arrows.map(([, , points]) => points);
  const way = ways.find((points) => near(points[0], from) && near(points[points.length - 1], to));
  const legs = way ? [from, ...way.slice(1, -1), to] : [from, to];
  counter.animate(
    legs.map(([x, y]) => ({ transform: `translate(${x - to[0]}px, ${y - to[1]}px)` })),
    { duration: SLIDE, easing: "ease-in-out" },
  );
}
/** @param {Arrow} each @param {boolean} old */
function arrow(each, old) {
  const points = each[2].map((point) => point.join(",")).join(" ");
  const kind = "arrow " + each[1] + " " + each[0] + (old ? " old" : "");
  return shape("polyline", { class: kind, points: points, "marker-end": "url(#tip)" });
}
/** Draw a pill, and the dice next to the pill; ``tags.js`` places it. @param {import("./parts.js").Burst} each */
function burst(each) {
  const group = shape("g", { class: "burst", "data-middle": `${each[0]},${each[1]}` });
  const tag = shape("g", { class: "tag" });
  const text = each[2] || "\u2217";
  const wide = 200 * text.length + 260;
  const pill = shape("rect", { x: -wide / 2, y: -185, width: wide, height: 370, rx: 185 });
  tag.append(pill, shape("text", { y: 118 }, text));
  [...each[3]].forEach((digit, place) => {
    const die = shape("g", { class: "cast", transform: `translate(${wide / 2 + CAST * (0.6 + 1.1 * place)},0)` });
    const side = shape("rect", { x: -CAST / 2, y: -CAST / 2, width: CAST, height: CAST, rx: 90 });
    die.append(side, shape("text", { y: 125 }, digit));
    tag.append(die);
  });
  group.append(tag);
  return group;
}
/** Rings around points. @param {string} layer @param {[number, number][]} points */
export function ring(layer, points) {
  get(layer).replaceChildren(...points.map(([x, y]) => shape("circle", { class: "found", cx: x, cy: y, r: 900 })));
}
