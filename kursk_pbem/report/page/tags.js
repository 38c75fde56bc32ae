// @ts-check
// The tags of battles, for replay and board: clear of counters and of other tags, with a line to a battle farther away.
import { all, shape } from "./dom.js";
import { shared } from "./names.js";
/** @typedef {[number, number, number, number]} Box left, top, right, bottom */

const [BESIDE, RING] = [635, 866]; // map units from a counter's middle to a tag outside; between two distances of a tag
const [NEAREST, RINGS] = [5, 5]; // places on an empty hex and next to a counter, and further distances
const ACROSS = 1e5; // the area that a line over another counter counts
const FRAME = 600; // map units between a picture's edge and the frame of its map

/**
 * Return a function that places the tags and returns points on them, which names avoid.
 * @param {SVGSVGElement} picture @param {() => [number, number][]} counters the present places of counters
 */
export function kurskTags(picture, counters) {
  const whole = (picture.getAttribute("viewBox") || "").split(" ").map(Number);
  const edge = [whole[0] + FRAME, whole[1] + FRAME, whole[0] + whole[2] - FRAME, whole[1] + whole[3] - FRAME];
  let drawn = "";
  /** @type {[number, number][]} */
  let held = [];

  /** Return the sizes of a tag, the best first. @param {number} per */
  function sizes(per) {
    if (picture.dataset.zoom === "tiny") return [per * (picture.clientWidth < 600 ? 0.024 : 0.034)];
    return [Math.min(1.9, Math.max(1, per * 0.038)), Math.min(1.6, Math.max(0.7, per * 0.03))];
  }
  /**
   * Return places around a counter, the nearest first, as the distance of a tag's middle.
   * @param {number} wide @param {number} high
   */
  function around(wide, high) {
    const [aside, up] = [BESIDE + wide / 2, BESIDE + high / 2];
    const places = [[0, 0], [0, -up], [0, up], [aside, 0], [-aside, 0]];
    for (let far = RING; far <= RINGS * RING; far += RING) {
      places.push([0, -up - far], [0, up + far], [aside + far, 0], [-aside - far, 0]);
      const [across, down] = [aside + far / 2, up + far / 2];
      places.push([across, -down], [across, down], [-across, down], [-across, -down]);
    }
    return places;
  }
  /** @param {Box[]} boxes @param {Box} at */
  const over = (boxes, at) => boxes.reduce((sum, each) => sum + shared(each, at), 0);
  /**
   * Return how many counters a line from a tag to its battle crosses.
   * @param {Box[]} boxes @param {number[]} at @param {number} right @param {number} down
   */
  function crossed(boxes, [x, y], right, down) {
    const points = [0.3, 0.5, 0.7, 0.9].map((part) => [x + right * part, y + down * part]);
    const own = (/** @type {Box} */ box) => box[0] < x && box[2] > x && box[1] < y && box[3] > y;
    const on = (/** @type {Box} */ [left, top, edge, low]) =>
      points.some(([across, high]) => across > left && across < edge && high > top && high < low);
    return boxes.filter((box) => !own(box) && on(box)).length;
  }
  /** @param {Box} at */
  const outside = (at) => at[0] < edge[0] || at[1] < edge[1] || at[2] > edge[2] || at[3] > edge[3];

  return function place() {
    const per = Math.exp(Math.round(Math.log(Number(picture.style.getPropertyValue("--per")) || 1) * 12) / 12);
    const shown = (/** @type {Element} */ burst) => getComputedStyle(burst).visibility === "visible";
    const bursts = all(".burst", picture).filter((burst) => shown(burst) && !burst.closest("[hidden]"));
    const stood = counters();
    const now = [per, picture.dataset.zoom, ...bursts.map((burst) => burst.textContent), ...stood].join(" ");
    if (now === drawn && bursts.every((burst) => burst.dataset.placed)) return held;
    drawn = now;
    held = [];
    const taken = stood.map(([x, y]) => /** @type {Box} */ ([x - 620, y - 620, x + 620, y + 620]));
    /** @type {Box[]} */
    const tags = [];
    for (const burst of bursts) {
      const tag = /** @type {SVGGElement | null} */ (burst.querySelector(".tag"));
      const [x, y] = (burst.dataset.middle || "").split(",").map(Number);
      if (!tag || Number.isNaN(y)) continue;
      const bounds = tag.getBBox();
      let best = { least: Infinity, size: 1, box: /** @type {Box} */ ([0, 0, 0, 0]), far: 0 };
      for (const size of sizes(per)) {
        const [wide, high] = [bounds.width * size, bounds.height * size];
        around(wide, high).forEach(([right, down], far) => {
          const [left, top] = [x + right - wide / 2, y + down - high / 2];
          const box = /** @type {Box} */ ([left, top, left + wide, top + high]);
          if (!best.least || outside(box) || over(tags, box)) return;
          const least = over(taken, box) + (far < NEAREST ? 0 : ACROSS * crossed(taken, [x, y], right, down));
          if (least < best.least) best = { least, size, box, far };
        });
      }
      if (best.least === Infinity) continue;
      const { size, box, far } = best;
      tags.push(box);
      for (let at = box[0]; at <= box[2]; at += 600) held.push([at, (box[1] + box[3]) / 2]);
      tag.style.transformOrigin = "0 0";
      tag.style.transform = `scale(${size})`;
      burst.dataset.placed = "1";
      const to = [box[0] - bounds.x * size, box[1] - bounds.y * size];
      burst.setAttribute("transform", `translate(${to.map(Math.round).join(",")})`);
      for (const line of burst.querySelectorAll(".lead")) line.remove();
      if (far < NEAREST) continue;
      const [across, down] = [(box[0] + box[2]) / 2 - x, (box[1] + box[3]) / 2 - y];
      const edge = BESIDE / Math.max(Math.abs(across), Math.abs(down)); // no line over the figures of the counter
      const ends = [1, edge].map((part) => [x + across * part - to[0], y + down * part - to[1]].join(" "));
      burst.prepend(shape("path", { class: "lead", d: `M${ends.join("L")}` }));
    }
    return held;
  };
}
