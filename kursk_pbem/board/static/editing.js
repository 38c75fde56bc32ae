// @ts-check
// The order of the list that is being edited, if there is one. Nothing changes before it is given anew.
import { all } from "./dom.js";

/** ``by``: what gives it anew: "form", "words", or the unit that is moved. */
/** @type {{number: string, words: string, by: string} | null} */
let order = null;

/** @param {DOMStringMap} data what its line says of it */
export function begin(data) {
  order = { number: data.number || "", words: data.words || "", by: data.unit || (data.verb ? "form" : "words") };
  show();
}
/** It stays, or it has become, what it is. */
export function end() {
  order = null;
  show();
}
/** Another unit is taken in hand. @param {string} unit */
export function keeps(unit) {
  if (order && !["form", "words", unit].includes(order.by)) end();
}
/**
 * What is to be asked with words: one more order, or another in the place of this.
 * @param {string} words @param {string} by
 */
export function asked(words, by) {
  if (!order || order.by !== by) return { path: "order", body: { words, typed: by === "words" ? "1" : "" } };
  return { path: "edit", body: { number: order.number, words: order.words, then: words } };
}
/** Its number in the list, "" while none is edited by that. @param {string} by */
export function number(by) {
  return order && order.by === by ? order.number : "";
}
/** The list shows which it is. */
export function show() {
  for (const line of all("#listed .edit")) {
    line.setAttribute("aria-pressed", String(order !== null && line.dataset.number === order.number));
  }
}
