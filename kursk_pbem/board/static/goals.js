// @ts-check
// The chances of a plan, under the orders. The plan stays on this page: nobody sends or signs it.
import { ask } from "./asking.js";
import { field, get, maybe } from "./dom.js";

let wanted = "";

/** Show the chances of the typed plan. */
export async function tell() {
  wanted = field("goal-text").value.trim();
  const found = wanted ? await ask(`plan?text=${encodeURIComponent(wanted)}`) : null;
  if (maybe("goal-told")) get("goal-told").textContent = found ? found.lines.join("\n") : "";
}
document.addEventListener("filled", () => {
  if (!wanted || !maybe("goal-text")) return;
  field("goal-text").value = wanted;
  tell();
});
