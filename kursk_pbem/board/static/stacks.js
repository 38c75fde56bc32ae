// @ts-check
// The counters of one stack at a time lie side by side, so that those below can be seen and clicked.
import { all } from "./dom.js";
import { counters, middle } from "./ground.js";
import { plane } from "./page.js";

/** The hex whose stack is spread, "" without one. */
export let place = "";

/** Spread the stack of a hex; all others go back. @param {string} hex */
export function spread(hex) {
  for (const counter of all("#map .spread")) {
    counter.setAttribute("transform", counter.dataset.lay || "");
    counter.classList.remove("spread");
  }
  const stack = counters(hex).reverse();
  const at = stack.length > 1 && !plane ? middle(hex) : null;
  place = at ? hex : "";
  if (!at) return;
  const across = Math.ceil(Math.sqrt(stack.length));
  const size = across === 2 ? 0.64 : 1.35 / across;
  const far = 1200 * size;
  stack.forEach((counter, number) => {
    const right = ((number % across) - (across - 1) / 2) * far;
    const down = (Math.floor(number / across) - (Math.ceil(stack.length / across) - 1) / 2) * far;
    counter.dataset.lay = counter.getAttribute("transform") || "";
    const moved = `translate(${Math.round(at[0] + right)},${Math.round(at[1] + down)})`;
    counter.setAttribute("transform", `${moved} scale(${size})`);
    counter.classList.add("spread");
  });
}
/** Spread it again, when its counters have been drawn anew. */
export function again() {
  if (place) spread(place);
}
