"use strict";
// What is drawn on the map by hand: what is lit, the way, the mark, a stack spread out. ``state`` is that of the page.
function kurskHand(state, plane) {
  const NS = "http://www.w3.org/2000/svg";
  const get = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];

  function made(name, attributes, text) {
    const node = document.createElementNS(NS, name);
    for (const key of Object.keys(attributes)) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    return node;
  }
  const middles = new Map();
  function middle(place) {
    if (!middles.has(place)) {
      const box = get("at-" + place) ? get("at-" + place).getBBox() : null;
      middles.set(place, box ? [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)] : null);
    }
    return middles.get(place);
  }
  function clear() {
    Object.assign(state, { unit: "", phases: [], phase: "", lit: {}, via: [] });
    get("layer-lit").replaceChildren();
    get("layer-join").replaceChildren();
    for (const each of all(".chosen")) each.classList.remove("chosen");
    hand();
  }
  function light(key) {
    const phase = state.phases.find((each) => each.key === key) || { ends: [] };
    const drawn = [];
    const joins = [];
    state.phase = phase.key || "";
    state.lit = {};
    if (plane) return void (get("layer-lit").innerHTML = state.drawn);
    for (const end of phase.ends) {
      const hex = get("at-" + end.place);
      if (!hex) continue;
      const [x, y] = middle(end.place);
      state.lit[end.place] = end;
      const name = { role: "button", tabindex: "-1", "aria-label": "hex " + end.place };
      const kind = { class: end.marked ? "danger" : "" };
      const cost = end.cost + (end.marked ? "!" : "");
      const taken = counters(end.place).some((each) => each.dataset.unit !== state.unit);
      drawn.push(made("path", { d: hex.getAttribute("d"), ...kind, ...(taken ? {} : name) }));
      if (taken) joins.push(badge(end.place, x, y + 660, cost, { ...kind, ...name }));
      else drawn.push(made("text", { x: x, y: y + 120 }, cost));
    }
    get("layer-lit").replaceChildren(...drawn);
    get("layer-join").replaceChildren(...joins);
    for (const each of all(".lights")) each.setAttribute("aria-pressed", String(each.dataset.phase === key));
  }
  // Where a counter lies in a lit hex, it takes the click: the hex is chosen by its badge.
  function badge(place, x, y, cost, more) {
    const group = made("g", { "data-place": place, ...more });
    group.append(made("circle", { cx: x, cy: y, r: 210 }), made("text", { x: x, y: y + 80 }, cost || "\u2193"));
    return group;
  }
  // The counters of a stack, side by side in their hex; without a stack all go back.
  function spread(place) {
    for (const each of all("#map .spread")) {
      each.setAttribute("transform", each.dataset.lay);
      each.classList.remove("spread");
    }
    const stack = counters(place).reverse();
    state.spread = stack.length > 1 ? place : "";
    if (!state.spread || plane) return;
    const across = Math.ceil(Math.sqrt(stack.length));
    const size = across === 2 ? 0.64 : 1.35 / across;
    const far = 1200 * size;
    const [x, y] = middle(place);
    stack.forEach((each, number) => {
      const right = ((number % across) - (across - 1) / 2) * far;
      const down = (Math.floor(number / across) - (Math.ceil(stack.length / across) - 1) / 2) * far;
      each.dataset.lay = each.getAttribute("transform");
      each.setAttribute("transform", `translate(${Math.round(x + right)},${Math.round(y + down)}) scale(${size})`);
      each.classList.add("spread");
    });
  }
  function hand(end) {
    const drawn = [];
    const start = plane && state.phases[0] ? state.phases[0].start : all("#map .chosen").map(spot)[0];
    if (end || state.via.length) {
      const by = plane ? state.via : state.via.map(middle);
      const points = end && !by.length ? end.way : [...by, ...(!end ? [] : plane ? end.way : [middle(end.place)])];
      drawn.push(made("polyline", { class: "way", points: [...(start ? [start] : []), ...points].map((each) => each.join(",")).join(" ") }));
      for (const each of points) drawn.push(made("circle", { class: "dot", cx: each[0], cy: each[1], r: 110 }));
    }
    if (state.aim && middle(state.aim)) {
      const [x, y] = middle(state.aim);
      drawn.push(made("circle", { class: "ring aim", cx: x, cy: y, r: 800 }));
    }
    for (const each of plane ? [] : state.targets || []) {
      if (!state.unit) continue;
      drawn.push(made("circle", { class: "ring", cx: each.at[0], cy: each.at[1], r: 760 }));
      if (each.odds) drawn.push(made("text", { class: "ring-text", x: each.at[0] + 560, y: each.at[1] - 520 }, each.odds));
    }
    if (state.at) drawn.push(made("circle", { class: "cursor", cx: state.at[0], cy: state.at[1], r: plane ? 260 : 700 }));
    get("layer-hand").replaceChildren(...drawn);
  }
  function spot(counter) {
    const moved = counter.transform.baseVal.consolidate();
    return [moved.matrix.e, moved.matrix.f];
  }
  function counters(place) {
    return all("#map [data-unit]").filter((each) => each.dataset.at === place);
  }

  // The view stays as it was when the page is loaded again.
  function kept(view) {
    try {
      if (view) sessionStorage.setItem(location.pathname, JSON.stringify(view));
      return JSON.parse(sessionStorage.getItem(location.pathname) || "null");
    } catch (error) {
      return null;
    }
  }

  return { clear, counters, hand, kept, light, middle, spot, spread };
}
