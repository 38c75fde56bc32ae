"use strict";
// The mark that arrows move from hex to hex, or by inches over a table top; Enter does there what a click does.
function kurskMark(state, picture, { plane, inch, map, hand, middle, counters, say, act }) {
  function label(counter) {
    return (counter.querySelector("title") || {}).textContent || counter.dataset.unit;
  }
  function step(right, down) {
    const from = state.at || start();
    const places = plane ? [] : [...picture.querySelectorAll(".hits path")].map((each) => each.id.slice(3));
    let best = plane ? [from[0] + right * inch, from[1] + down * inch] : null;
    let near = Infinity;
    for (const place of places) {
      const [x, y] = middle(place);
      const [ahead, aside] = [(x - from[0]) * right + (y - from[1]) * down, Math.abs((x - from[0]) * down) + Math.abs((y - from[1]) * right)];
      if (ahead > 200 && ahead + 2 * aside < near) {
        near = ahead + 2 * aside;
        best = [x, y];
        state.mark = place;
      }
    }
    if (!best) return;
    state.at = best;
    if (!map.seen(...best)) map.to(...best);
    hand(state.lit[state.mark]);
    const end = state.lit[state.mark];
    say([state.mark, ...counters(state.mark).map(label), end ? `can be reached${end.cost ? `, ${end.cost}` : ""}${end.marked ? ", with a warning" : ""}` : ""]);
  }
  function start() {
    const view = picture.getAttribute("viewBox").split(" ").map(Number);
    return [view[0] + view[2] / 2, view[1] + view[3] / 2];
  }
  function enter(byWay) {
    const found = plane || state.lit[state.mark] ? null : counters(state.mark)[0];
    if (state.at) act(found ? found.dataset.unit : "", state.mark, state.at, byWay);
  }

  return { enter, label, step };
}
