// @ts-check
// The view follows the events: the view glides, or jumps if the reader wants no motion.
// Shared by the replay and the board.
/** @typedef {ReturnType<typeof import("./map.js").kurskMap>} KurskMap */

const WIDE = 1732; // map units from side to side of a hex
const [AROUND, EDGE_ROOM] = [2.5 * WIDE, WIDE]; // map units: around the middle of an event, and around its points
const [FREE, FILLED] = [0.1, 0.75]; // parts of a view: free at each edge, and at most between the points
const LARGEST = 96; // pixels of a hex, so that an event is seen with its neighbours
const [LARGE, SMALL] = [0.6, 1.25]; // parts of the wanted scale between which a view stays
const GLIDE = 450; // milliseconds
/** The reader wants no motion. */
export const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @param {KurskMap} map @param {HTMLElement} box */
export function kurskCamera(map, box) {
  let turn = 0; // which glide goes on: an older one ends by itself

  /**
   * Return the middle and the map units per pixel of the wanted view; null if the view is right.
   * @param {[number, number][]} points
   */
  function wanted(points) {
    const [wide, high] = [box.clientWidth || 1, box.clientHeight || 1];
    const [xs, ys] = [points.map((point) => point[0]), points.map((point) => point[1])];
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
    const [view, per] = [map.view(), map.per()];
    const middle = [view[0] + view[2] / 2, view[1] + view[3] / 2];
    const inner = (/** @type {number} */ size) => (size * per) / 2 - Math.max(WIDE / 2, size * per * FREE);
    const seen = Math.max(middle[0] - left, right - middle[0]) < inner(wide)
      && Math.max(middle[1] - top, bottom - middle[1]) < inner(high);
    const all = Math.max(map.whole[2] / wide, map.whole[3] / high);
    const span = (/** @type {number} */ length) => Math.max(length + 2 * EDGE_ROOM, length / FILLED, 2 * AROUND);
    const best = Math.min(all, Math.max(span(right - left) / wide, span(bottom - top) / high, WIDE / LARGEST));
    if (seen && per > best * LARGE && per < best * SMALL) return null;
    return [(left + right) / 2, (top + bottom) / 2, best];
  }
  /** Show the map around a point, with so many map units per pixel. @param {number[]} at */
  function look([x, y, per]) {
    const [wide, high] = [box.clientWidth * per, box.clientHeight * per];
    map.look([x - wide / 2, y - high / 2, wide, high]);
  }

  return {
    look,
    /**
     * Show the points of an event, with the hexes around them, if the view does not show them about so already.
     * @param {[number, number][]} points
     */
    follow(points) {
      turn += 1;
      const found = points.length ? wanted(points) : null;
      if (!found) return;
      const to = found;
      if (still.matches) return look(to);
      const mine = turn;
      const view = map.view();
      const from = [view[0] + view[2] / 2, view[1] + view[3] / 2, map.per()];
      const start = performance.now();
      /** @param {number} now */
      function tick(now) {
        if (mine !== turn) return;
        const part = Math.min(1, Math.max(0, (now - start) / GLIDE));
        const eased = part * part * (3 - 2 * part);
        look(from.map((value, axis) => value + (to[axis] - value) * eased));
        if (part < 1) requestAnimationFrame(tick);
      }
      requestAnimationFrame(tick);
    },
    /** Stop a running glide at the present view. */
    rest() {
      turn += 1;
    },
  };
}
