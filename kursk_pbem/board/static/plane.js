"use strict";
// Table tops: a point in inches from the lower left; a way by several; what stops it is asked before it is written.
function kurskPlane(state, picture, { ask, say, order, choose, hand, spot }) {
  const inch = Number(picture.dataset.unitOfLength);

  function way(points, between) {
    const high = Number(picture.querySelector(".table").getAttribute("height"));
    const inches = (value) => Math.max(0, value / inch).toFixed(2);
    return points.map(([x, y]) => inches(x) + (between || " ") + inches(high - y)).join(between ? "; " : " ");
  }
  function bend(point) {
    state.via.push(point);
    hand();
    say([`By way of ${way([point], ", ")}; click where it ends.`]);
  }
  async function pointed(point) {
    const [unit, points, now] = [state.unit, [...state.via, point], state.phases[0]];
    state.via = [];
    if (!now) return say(["It cannot be ordered to move now."], true);
    const found = await ask("why?" + new URLSearchParams({ unit: unit, place: way(points, ", ") }));
    hand();
    if (!found) return;
    if (found.lines.length) return say([`Not to ${way([point], ", ")}:`, ...found.lines], true);
    if (await order(`${now.verb} ${unit} ${way(points)}`)) {
      await choose(unit);
    }
  }
  async function rotate(step) {
    const unit = state.unit;
    const turns = (state.phases[0] || {}).turns || [];
    if (!turns.length) return say(["Choose a unit that can turn first."]);
    if (await order(turns[step])) await choose(unit);
  }
  function draws(counter, byWay) {
    const from = state.via[state.via.length - 1] || (state.phases[0] ? state.phases[0].start : spot(counter));
    if (byWay && Math.hypot(state.at[0] - from[0], state.at[1] - from[1]) > inch) state.via.push(state.at.map(Math.round));
    hand({ way: [state.at] });
  }

  return { bend, draws, inch, pointed, rotate, way };
}
