// @ts-check
// Choose units; ask and order for the chosen unit.
import { ask, order, refresh } from "./asking.js";
import * as chosen from "./chosen.js";
import * as composer from "./composer.js";
import { get } from "./dom.js";
import * as editing from "./editing.js";
import * as filter from "./filter.js";
import { counters, label, own, spot, unitOf } from "./ground.js";
import * as loupe from "./loupe.js";
import * as overlay from "./overlay.js";
import { plane, say, touch } from "./page.js";
import * as panels from "./panels.js";
import * as stacks from "./stacks.js";
import { bring, map } from "./view.js";

/**
 * Show the card of a unit; choose the unit if it is the player's own. ``move`` brings the whole counter into view.
 * @param {string} unit @param {boolean} [move]
 */
export async function choose(unit, move = true) {
  const seen = panels.turns;
  /** @type {import("./types.js").Card | null} */
  const card = await ask("unit/" + encodeURIComponent(unit));
  if (!card) return;
  editing.keeps(unit);
  overlay.clear();
  chosen.show(unit, card);
  get("unit").innerHTML = card.html;
  const targets = card.mine ? card.targets.map((target) => target.at) : [];
  for (const counter of counters()) {
    if (unitOf(counter) !== unit) continue;
    if (counter.dataset.at !== stacks.place) stacks.spread(counter.dataset.at || "", targets);
    counter.classList.add("chosen");
    if (move) bring(spot(counter), plane && touch ? targets : []);
  }
  if (!card.mine && card.verb) {
    await against(card.verb, card.words, unit);
    return;
  }
  if (seen === panels.turns) panels.tab("unit");
  if (!card.mine) return;
  chosen.take(unit, card);
  const first = chosen.phases.find((phase) => phase.ends.length) || chosen.phases[0];
  if (first || plane) overlay.light(first ? first.key : "");
  overlay.draw();
}
/** Open the form of an order against a unit. @param {string} verb @param {string} words @param {string} unit */
export async function against(verb, words, unit) {
  await composer.open(verb, words);
  const form = composer.inHand();
  if (plane && form) form.unit(unit);
}
/** Return the player's own units that can still move, or all own units if no unit can move. */
function waiting() {
  if (filter.wanted()) return own().filter((counter) => !counter.classList.contains("dimmed"));
  const able = own().filter((counter) => counter.querySelector(".able-sign"));
  return able.length ? able : own();
}
/** Return the index of the counter nearest to the middle of the view. @param {HTMLElement[]} units */
function nearest(units) {
  const [x, y, wide, high] = map.view();
  const far = units.map((counter) => Math.hypot(spot(counter)[0] - x - wide / 2, spot(counter)[1] - y - high / 2));
  return far.indexOf(Math.min(...far));
}
/** Choose the next own unit. @param {number} step */
export function walk(step) {
  const units = waiting();
  if (!units.length) return say(["The filter matches no unit of yours on the map."]);
  const before = units.findIndex((counter) => unitOf(counter) === (chosen.unit || chosen.last));
  const now = before < 0 ? nearest(units) - Math.max(step, 0) : before;
  const next = units[(now + step + units.length) % units.length];
  chosen.walkedTo(unitOf(next));
  overlay.setMark(spot(next), next.dataset.at || "");
  next.focus({ preventScroll: true });
  void choose(unitOf(next)).then(() => loupe.show(next, true));
  say([label(next)]);
}
/** Show the next phase of the chosen unit's moves. */
export function phase() {
  const open = chosen.phases.filter((each) => each.ends.length);
  if (!open.length) return;
  const next = open[(open.findIndex((each) => each.key === chosen.phase) + 1) % open.length];
  overlay.light(next.key);
  say([next.name]);
}
/** Choose a unit and show the phase of a verb. @param {string} unit @param {string} verb */
export async function moves(unit, verb) {
  await choose(unit);
  const now = chosen.phases.find((each) => each.verb === verb);
  if (now) overlay.light(now.key);
}
/** Order the chosen unit to a lit hex by the present way. @param {string} place */
export async function goTo(place) {
  const unit = chosen.unit;
  const now = chosen.phases.find((each) => each.key === chosen.phase);
  if (!now) return;
  const said = [now.verb, unit, ...chosen.via.filter((each) => each !== place), place].join(" ");
  chosen.setWay([]);
  if (await order(said, unit)) await choose(unit);
}
/** @param {string} place */
export function by(place) {
  chosen.by(place);
  overlay.draw();
  say([`By way of ${chosen.via.join(", ")}.`]);
}
/** Say why the chosen unit cannot go to a place. @param {string} place */
export async function why(place) {
  const found = await ask("why?" + new URLSearchParams({ unit: chosen.unit, place: place, phase: chosen.phase }));
  if (found) say(found.lines);
}
/** Show the card of a hex. @param {string} place */
export async function showPlace(place) {
  const seen = panels.turns;
  const found = await ask("place/" + encodeURIComponent(place));
  if (!found) return;
  panels.put({ unit: found.html });
  if (seen === panels.turns) panels.tab("unit");
}
/** Find a unit or a place and show the result. @param {string} text */
export async function find(text) {
  const found = await ask("find?" + new URLSearchParams({ text: text }));
  if (!found) return;
  overlay.setMark(found.at);
  map.show(found.at[0], found.at[1]);
  get("map").focus();
  if (found.kind === "unit") choose(found.id);
  else {
    overlay.setMark(found.at, found.id);
    overlay.draw();
  }
  say([found.name]);
}
/** Change the draft by a request other than a new order. @param {string} path @param {Record<string, any>} [body] */
export async function change(path, body) {
  const found = await ask(path, body || {});
  if (!found) return;
  const unit = get("unit").hidden ? chosen.unit : chosen.shown;
  editing.end();
  composer.close();
  overlay.clear();
  refresh(found);
  if (unit) choose(unit);
}
