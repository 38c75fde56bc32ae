// @ts-check
// The chances of a plan, and hints, under the orders. Both stay on this page: nobody sends or signs them.
import { ask } from "./asking.js";
import { field, get, maybe } from "./dom.js";

let wanted = "";

/** Show the chances of the typed plan. */
export async function tell() {
  wanted = field("goal-text").value.trim();
  const found = wanted ? await ask(`plan?text=${encodeURIComponent(wanted)}`) : null;
  if (maybe("goal-told")) get("goal-told").textContent = found ? found.lines.join("\n") : "";
}
/** Show what the program thinks; a change of the draft removes it with the panel. @param {string} what */
async function think(what) {
  const bar = Object.assign(document.createElement("progress"), { ariaLabel: "The program thinks" });
  get(`${what}-told`).replaceChildren(bar, " The program thinks …");
  const found = await ask(what);
  if (maybe(`${what}-told`)) get(`${what}-told`).innerHTML = found ? found.html : "";
}
/** Show ideas that the draft leaves out, each with a button. */
export const hint = () => think("hints");
/** Show the moments of a finished game in which most was lost. */
export const moments = () => think("moments");
document.addEventListener("filled", () => {
  if (!wanted || !maybe("goal-text")) return;
  field("goal-text").value = wanted;
  tell();
});
