// @ts-check
// The clauses of a form: possible choices, present choices and their sequence.
import { all, block } from "./dom.js";
import { rows } from "./lights.js";
/** @typedef {HTMLElement} Clause */

/** @param {ParentNode} within @returns {HTMLInputElement[]} */
export function choices(within) {
  const inputs = /** @type {HTMLInputElement[]} */ (all(".rows input, label > input", within));
  return inputs.filter((input) => !input.closest("li[hidden], label[hidden]"));
}
/** Return the choices of a clause in sequence. @param {Clause} clause @returns {string[]} */
export function chosen(clause) {
  if (clause.dataset.kind === "wishes") return rows(clause).map((row) => row.dataset.value || "");
  const ticked = choices(clause).filter((input) => input.checked && input.value);
  return ticked.map((input) => {
    const row = input.closest("li");
    const more = /** @type {HTMLSelectElement | null} */ (row && row.querySelector(".more"));
    return more && more.value ? `${input.value} ${more.value}` : input.value;
  });
}
/** Move the row of the last chosen unit to the end. @param {HTMLInputElement} input */
export function settle(input) {
  const row = /** @type {HTMLElement | null} */ (input.closest(".rows li"));
  if (!row || input.type !== "checkbox" || !input.checked) return;
  const clause = /** @type {Clause} */ (row.closest(".clause"));
  const others = rows(clause).filter((other) => other !== row && other.querySelector("input:checked"));
  if (others.length) others[others.length - 1].after(row);
  else if (row.parentElement) row.parentElement.prepend(row);
}
/** Return the row of a wish with its buttons. @param {string} value */
export function wished(value) {
  const row = block("li", "", block("span", "", value), " ");
  row.dataset.value = value;
  for (const [kind, sign, name] of [["higher", "\u2191", `${value} earlier`], ["drop", "\u00d7", `Without ${value}`]]) {
    row.append(Object.assign(block("button", kind, sign), { type: "button", ariaLabel: name }), " ");
  }
  return row;
}
/** Hide units that do not take part from the clauses about losses and advances. @param {HTMLFormElement} form */
export function offer(form) {
  for (const clause of all("[data-of]", form)) {
    const words = (clause.dataset.of || "").split(" ");
    const named = all(".clause", form).filter((other) => words.includes(other.dataset.word || ""));
    const part = new Set(named.flatMap(chosen));
    for (const row of all(".rows li", clause)) row.hidden = !part.has(all("input", row)[0].getAttribute("value") || "");
  }
}
