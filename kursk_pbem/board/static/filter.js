// @ts-check
// Only some units: those that can still move, are reduced, disrupted or cut off. Others are dimmed; n skips them.
import { all, field } from "./dom.js";
import { counters, unitOf } from "./ground.js";

/** Which are wanted, "" for all. */
export function wanted() {
  return field("filter").value;
}
/** Dim all others. */
export function show() {
  const kind = wanted();
  const bar = all("#bar [data-own]")[0];
  const known = new Set(((bar && kind && bar.dataset[kind]) || "").split(" "));
  for (const counter of counters()) counter.classList.toggle("dimmed", Boolean(kind) && !known.has(unitOf(counter)));
}
/** Listen. */
export function begin() {
  field("filter").addEventListener("change", show);
}
