// @ts-check
// The list of events. The list scrolls with the play. A click shows the event; a hex lists the events of the hex.
import { block, get } from "./dom.js";
import { branch, data, where, whole } from "./parts.js";

const NEARBY = 700; // map units from a hex within which something happened there
/** @type {HTMLElement[]} */
const items = [];

/**
 * Make the list.
 * @param {(number: number) => void} go @param {(number: number | null) => void} over the item below the mouse
 */
export function listEvents(go, over) {
  /** @type {HTMLElement[]} */
  const parts = [];
  data.frames.forEach((frame, number) => {
    if (!number || data.frames[number - 1].m !== frame.m) {
      const message = data.messages[frame.m];
      const heading = block("h3", "", `Turn ${frame.turn}, message ${message.seq}: ${message.from}`);
      parts.push(block("section", "message", heading, document.createElement("ol")));
    }
    const item = block("button", "event " + frame.kind, block("b", "", frame.title), block("span", "", frame.told));
    item.addEventListener("click", () => go(number));
    item.addEventListener("pointerenter", () => over(number));
    item.addEventListener("pointerleave", () => over(null));
    items.push(item);
    parts[parts.length - 1].querySelector("ol")?.append(block("li", "", item));
  });
  get("list").replaceChildren(...parts);
  get("everywhere").addEventListener("click", () => onlyEvents("", []));
}
/** Mark the current frame in the list, and scroll to the mark. @param {number} number */
export function markEvent(number) {
  items.forEach((item, each) => (item.ariaCurrent = each === number ? "true" : null));
  const panel = get("events");
  const [shown, item] = [panel.getBoundingClientRect(), items[number].getBoundingClientRect()];
  if (!shown.height || (item.top > shown.top + 40 && item.bottom < shown.bottom - 40)) return;
  panel.scrollTop += item.top - shown.top - Math.max(0, shown.height - 160) / 3;
}
/**
 * Show only events near some points; without a name, show the whole list.
 * @param {string} name @param {[number, number][]} points @param {number} [near]
 */
export function onlyEvents(name, points, near) {
  const far = near || NEARBY;
  let many = 0;
  items.forEach((item, number) => {
    const here = !name || where(number).some(([x, y]) => points.some((at) => Math.hypot(x - at[0], y - at[1]) < far));
    many += Number(here);
    const line = /** @type {HTMLElement} */ (item.parentElement);
    line.hidden = !here;
  });
  for (const part of document.querySelectorAll("#list .message")) {
    /** @type {HTMLElement} */ (part).hidden = !part.querySelector("li:not([hidden])");
  }
  get("only").hidden = !name;
  get("only-what").textContent = `${name}: ${many === 1 ? "1 event" : `${many} events`}`;
}
/** List the branches of a study. A click loads the page again with another branch. */
export function listBranches() {
  const names = ["The game", ...whole.branches.map((each) => each.name)];
  get("branches").replaceChildren(...names.map((name, number) => {
    const link = Object.assign(block("a", "", name), { href: `#${number}` });
    if (number === branch) link.setAttribute("aria-current", "true");
    return block("span", "", link);
  }));
  get("branches").hidden = !whole.branches.length;
  window.addEventListener("hashchange", () => location.reload());
}
