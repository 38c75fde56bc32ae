// @ts-check
// Names of cities on a map of hexes, for replay and board: readable at every zoom, clear of counters and other names.

const NAMED = ["major-city", "city", "base", "town"]; // which come first
const [SMALLEST, LARGER, USUAL] = [11, 12.5, [285, 240, 205, 205]]; // pixels of letters; map units nearby, by rank
const [OWN, COUNTER, TOWN, STAR] = [812, 690, 330, 260]; // a name below its city; halves of a counter, ground, star
const [AGAIN, CROWD, NEXT] = [60, 4000, 8]; // pixels of a drag; map units around a name; places next to a city
const [BEYOND, FARTHER] = [[690, 1100, 1600, 2400], [0, 500, -500, 1000, -1000, 1500, -1500, 2000, -2000]]; // far away
const [ADJACENT, MARGIN] = [1750, 600]; // map units to a next hex; between a picture's edge and the frame of its map
/** @typedef {[number, number, number, number]} Box left, top, right, bottom */
/** @typedef {{text: SVGTextElement, x: number, y: number, wide: number, rank: number}} Name */

/** Return the area that two boxes have in common. @param {Box} one @param {Box} other */
export function shared(one, other) {
  const wide = Math.min(one[2], other[2]) - Math.max(one[0], other[0]);
  const high = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
  return wide > 0 && high > 0 ? wide * high : 0;
}
/**
 * @param {SVGSVGElement} picture @param {Element} layer the layer of names, over the counters
 * @param {() => [number, number][]} counters the present places of counters
 */
export function kurskNames(picture, layer, counters) {
  const pen = document.createElement("canvas").getContext("2d");
  if (pen) pen.font = '600 100px "Helvetica Neue", Arial, "Liberation Sans", sans-serif';
  /** @param {string} word */
  const long = (word) => (pen ? pen.measureText(word).width / 100 : word.length * 0.6);
  const whole = (picture.getAttribute("viewBox") || "").split(" ").map(Number);
  const edge = [whole[0] + MARGIN, whole[1] + MARGIN, whole[0] + whole[2] - MARGIN, whole[1] + whole[3] - MARGIN];
  /** @type {Name[]} */
  const names = [];
  for (const text of /** @type {NodeListOf<SVGTextElement>} */ (picture.querySelectorAll("text.name"))) {
    const rank = NAMED.findIndex((kind) => text.classList.contains(kind));
    if (rank < 0) continue;
    const at = [Number(text.getAttribute("x")), Number(text.getAttribute("y")) - OWN];
    names.push({ text, x: at[0], y: at[1], wide: long(text.textContent || ""), rank });
    layer.append(text);
  }
  const streams = [.../** @type {NodeListOf<SVGTextElement>} */ (picture.querySelectorAll("text.stream"))];
  let drawn = "";

  /**
   * Return spots for a name, the best first, as the middle of the lower edge, with the size.
   * @param {Name} name @param {number} size @param {boolean} free @param {number} far the longest way to a city
   */
  function spots(name, size, free, far) {
    const [wide, high] = [(name.wide * size) / 2, size * 0.72];
    const [up, aside] = free ? [TOWN, TOWN + 60] : [COUNTER, COUNTER + 70];
    const [left, right] = [edge[0] - name.x + wide + size / 4, edge[2] - name.x - wide - size / 4];
    const middle = Math.max(left, Math.min(0, right)); // a long name near the frame
    const places = [[middle, up + high], [middle, -up], [aside + wide, high / 2], [-aside - wide, high / 2]];
    for (const down of [COUNTER + high, -COUNTER]) places.push([wide, down], [-wide, down]);
    for (const way of BEYOND)
      for (const down of FARTHER.filter((down) => Math.hypot(way, down) < far))
        places.push([way + wide, down + high / 2], [-way - wide, down + high / 2]);
    return places.map(([right, down]) => [name.x + right, name.y + down, size]);
  }
  /** @param {Name} name @param {number[]} spot @returns {Box} */
  function box(name, [x, y, size]) {
    const half = (name.wide * size) / 2;
    return [x - half, y - size * 0.75, x + half, y + size * 0.15];
  }
  /** @param {number} x @param {number} y @param {number} far @returns {Box} */
  const around = (x, y, far) => [x - far, y - far, x + far, y + far];
  /** Return the ground of a place: another name on it would seem the place's own. @param {Name} name @returns {Box} */
  const ground = ({ x, y }) => around(x, y, TOWN / 2);
  /** @param {Box} at @param {number} gap */
  const outside = (at, gap) => at[0] - gap < edge[0] || at[1] < edge[1] || at[2] + gap > edge[2] || at[3] > edge[3];

  function place() {
    const per = Number(picture.style.getPropertyValue("--per")) || 1;
    const zoom = picture.dataset.zoom;
    const stood = counters();
    const [x, y, across, down] = (picture.getAttribute("viewBox") || "").split(" ").map(Number);
    const steps = [x, y].map((at) => Math.round(at / per / AGAIN));
    const now = [per, zoom, ...steps, ...stood].join(" ");
    if (now === drawn) return;
    drawn = now;
    const { clientWidth, clientHeight } = picture;
    const scale = Math.max(across / clientWidth, down / clientHeight);
    const [left, top] = [x + (across - clientWidth * scale) / 2, y + (down - clientHeight * scale) / 2];
    const seen = /** @type {Box} */ ([left, top, left + clientWidth * scale, top + clientHeight * scale]);
    /** Return whether the edge of the window cuts a box. @param {Box} at */
    const cut = (at) => ![0, shared(at, at)].includes(shared(at, seen));
    const taken = stood.map(([x, y]) => around(x, y, COUNTER));
    const stars = [...picture.querySelectorAll("use.objective")];
    const said = stars.map((star) => around(Number(star.getAttribute("x")), Number(star.getAttribute("y")), STAR));
    const near = (/** @type {Name} */ at) => stood.filter(([x, y]) => Math.hypot(x - at.x, y - at.y) < CROWD).length;
    names.sort((one, other) => one.rank - other.rank || near(other) - near(one));
    for (const name of names) {
      const sizes = (name.rank ? [SMALLEST] : [LARGER, SMALLEST]).map((each) => Math.max(USUAL[name.rank], each * per));
      const free = !stood.some(([x, y]) => Math.abs(x - name.x) < COUNTER && Math.abs(y - name.y) < COUNTER);
      let [best, least] = [/** @type {number[] | null} */ (null), Infinity];
      const away = !shared(ground(name), seen) || (zoom === "tiny" && name.rank > 1);
      const many = away ? 0 : name.rank < 3 ? 99 : free ? 2 : 0; // a town: clear of numbers
      const far = zoom === "near" ? Infinity : Math.max(ADJACENT, 16 * per);
      const every = sizes.map((size) => spots(name, size, free, far));
      const ways = [...every.flatMap((each) => each.slice(0, NEXT)), ...every[every.length - 1].slice(NEXT)];
      for (const spot of ways.slice(0, many)) {
        const at = box(name, spot);
        if (outside(at, spot[2] / 4) || cut(at) || said.some((other) => shared(at, other))) continue;
        if (names.some((other) => other !== name && other.rank < 2 && shared(at, ground(other)))) continue;
        const over = taken.reduce((sum, other) => sum + shared(at, other), 0);
        if (over < least) [best, least] = [spot, over];
        if (!over) break;
      }
      const most = name.rank ? 0 : zoom === "tiny" ? (name.wide * sizes[0] ** 2) / 8 : Infinity;
      const shown = best && least <= most;
      name.text.style.display = shown ? "inline" : "none";
      if (!best || !shown) continue;
      const [left, top, right, bottom] = box(name, best);
      said.push([left - best[2] / 4, top, right + best[2] / 4, bottom]); // two names are not one word
      name.text.setAttribute("x", String(Math.round(best[0])));
      name.text.setAttribute("y", String(Math.round(best[1])));
      name.text.style.fontSize = `${best[2]}px`;
      name.text.style.strokeWidth = String(Math.max(60, per * 3));
    }
    for (const text of streams) {
      const letters = Array.from({ length: text.getNumberOfChars() }, (_, at) => text.getExtentOfChar(at)); // in tens
      const ends = letters.map(({ x, y, width, height }) => [x, y, x + width, y + height].map((end) => 10 * end));
      const covers = (/** @type {Box} */ one) => ends.some((at) => shared(/** @type {Box} */ (at), one));
      text.style.visibility = said.some(covers) || taken.some(covers) ? "hidden" : "";
    }
  }
  return place;
}
