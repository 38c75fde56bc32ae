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
/** Show ideas that the draft leaves out, each with a button. A change of the draft removes them with the panel. */
export async function hint() {
  get("hints-told").textContent = "The program thinks …";
  const found = await ask("hints");
  if (maybe("hints-told")) get("hints-told").innerHTML = found ? found.html : "";
}
document.addEventListener("filled", () => {
  if (!wanted || !maybe("goal-text")) return;
  field("goal-text").value = wanted;
  tell();
});
