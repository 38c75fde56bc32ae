// @ts-check
// A filter of units: able to move, reduced, disrupted or cut off. Other units are dimmed, and n skips dimmed units.
import { all, field } from "./dom.js";
import { counters, unitOf } from "./ground.js";

/** The wanted kind of units, "" for all units. */
export function wanted() {
  return field("filter").value;
}
/** Dim the unwanted units. */
export function show() {
  const kind = wanted();
  const bar = all("#bar [data-own]")[0];
  const known = new Set(((bar && kind && bar.dataset[kind]) || "").split(" "));
  for (const counter of counters()) counter.classList.toggle("dimmed", Boolean(kind) && !known.has(unitOf(counter)));
}
/** Add the listeners. */
export function begin() {
  field("filter").addEventListener("change", show);
}
