// @ts-check
// The budgets of an order: costs are added over the whole form, and choices above a budget cannot be ticked.
import { all } from "./dom.js";
/** @typedef {Record<string, number>} Costs */

/** @param {HTMLInputElement} input @returns {Costs} */
function costs(input) {
  return JSON.parse(input.dataset.costs || "{}");
}
/** @param {HTMLFormElement} form @returns {Costs} */
function spent(form) {
  /** @type {Costs} */
  const sums = {};
  for (const input of /** @type {HTMLInputElement[]} */ (all("input[data-costs]:checked", form))) {
    for (const [name, price] of Object.entries(costs(input))) sums[name] = (sums[name] || 0) + price;
  }
  return sums;
}
/** Return the costs of the ticked alternatives of a choice. @param {HTMLInputElement} input @returns {Costs} */
function instead(input) {
  if (input.type !== "radio" || !input.form) return {};
  const others = /** @type {HTMLInputElement[]} */ (all("input[data-costs]:checked", input.form));
  const taken = others.find((other) => other.name === input.name);
  return taken ? costs(taken) : {};
}
/**
 * Return the name of the first budget that is too small for a choice, or "".
 * @param {HTMLInputElement} input @param {Costs} sums @param {Costs} most
 */
function lacking(input, sums, most) {
  const back = instead(input);
  const found = Object.entries(costs(input)).find(
    ([name, price]) => (sums[name] || 0) - (back[name] || 0) + price > (most[name] || 0),
  );
  return found ? found[0] : "";
}
/** Show the costs and disable choices above the budget. @param {HTMLFormElement} form */
export function count(form) {
  const sums = spent(form);
  /** @type {Costs} */
  const most = {};
  for (const shown of all(".budget", form)) {
    const name = shown.dataset.name || "";
    most[name] = Number(shown.dataset.most);
    shown.textContent = `${name}: ${most[name] - (sums[name] || 0)} of ${most[name]} left`;
    shown.classList.toggle("over", (sums[name] || 0) > most[name]);
  }
  for (const input of /** @type {HTMLInputElement[]} */ (all("input[data-costs]", form))) {
    const short = input.checked ? "" : lacking(input, sums, most);
    input.disabled = Boolean(short);
    input.dataset.short = short;
  }
}
/** Return why a choice cannot be ticked, or "". @param {HTMLInputElement} input */
export function refused(input) {
  if (!input.disabled) return "";
  return `${input.value}: nothing is left of the ${input.dataset.short}. Remove another unit first.`;
}
