"use strict";
(function () {
  const get = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];

  const main = get("main");
  if (!main || !main.dataset.base) return;

  const picture = document.querySelector("#map svg");
  const plane = picture.dataset.form === "plane";
  const state = { unit: "", phases: [], phase: "", lit: {}, via: [], mark: "", at: null, stamp: picture.dataset.stamp, form: null, hover: 0, outside: 0 };
  const map = kurskMap(get("map"), picture, clicked, grab);
  const { clear, counters, hand, kept, light, middle, spot, spread } = kurskHand(state, plane);
  const { ask, say } = kurskAsking(main.dataset.base, state, takeIn);
  const { bend, draws, inch, pointed, rotate, way } = kurskPlane(state, picture, { ask, say, order, choose, hand, spot });
  const { enter, label, step } = kurskMark(state, picture, { plane, inch, map, hand, middle, counters, say, act });
  const signed = kurskSigning(state, ask, say);
  const leaving = kurskDrops();

  function put(panels) {
    const typed = get("typed") && get("typed").value;
    const held = document.activeElement && document.activeElement.id;
    const policy = get("policy-text") && get("policy-text").value !== get("policy-text").defaultValue;
    for (const id of Object.keys(panels)) if (get(id) && !(id === "offers" && policy)) get(id).innerHTML = panels[id];
    if (typed && get("typed")) get("typed").value = typed;
    if (held && get(held) && document.activeElement !== get(held)) get(held).focus();
  }
  function refresh(found) {
    put(found.panels);
    for (const name of Object.keys(found.layers)) get("layer-" + name).innerHTML = found.layers[name];
    state.stamp = found.stamp;
    dress();
    if (found.said) say(found.said, found.bad);
  }
  function takeIn(now) {
    state.outside += 1;
    refresh(now);
  }
  function tab(name, focus) {
    for (const each of all("[role=tab]")) {
      const on = each.id === "tab-" + name;
      each.setAttribute("aria-selected", String(on));
      each.tabIndex = on ? 0 : -1;
      get(each.getAttribute("aria-controls")).hidden = !on;
      if (on && focus) each.focus();
    }
  }

  // Units.
  async function choose(unit) {
    const found = await ask("unit/" + encodeURIComponent(unit));
    if (!found) return;
    clear();
    state.shown = unit;
    get("unit").innerHTML = found.html;
    for (const each of all("#map [data-unit]")) {
      if (each.dataset.unit !== unit) continue;
      if (each.dataset.at !== state.spread) spread(each.dataset.at);
      each.classList.add("chosen");
      if (!map.seen(...spot(each))) map.to(...spot(each));
    }
    state.targets = found.targets;
    state.drawn = found.drawn;
    if (!found.mine && found.verb) {
      return fires(found.verb, found.words, unit);
    }
    tab("unit");
    if (!found.mine) return;
    state.unit = unit;
    state.phases = found.phases.filter((phase) => phase.verb);
    const first = state.phases.find((phase) => phase.ends.length) || state.phases[0];
    if (first) light(first.key);
    else if (plane) light("");
    hand();
  }
  async function fires(verb, words, at) {
    await openForm(verb, words);
    if (plane && state.form && get("form")) state.form.unit(at);
  }
  function walk(step) {
    const units = all("#map [data-unit].mine");
    if (!units.length) return say(["None of your units is on the map."]);
    const now = units.findIndex((each) => each.dataset.unit === (state.unit || state.last));
    const next = units[(now + step + units.length) % units.length];
    state.last = next.dataset.unit;
    state.at = spot(next);
    state.mark = next.dataset.at || "";
    next.focus({ preventScroll: true });
    choose(next.dataset.unit);
    say([label(next)]);
  }
  function phase() {
    const open = state.phases.filter((each) => each.ends.length);
    if (!open.length) return;
    const next = open[(open.findIndex((each) => each.key === state.phase) + 1) % open.length];
    light(next.key);
    say([next.name]);
  }
  async function goTo(place) {
    const unit = state.unit;
    const now = state.phases.find((each) => each.key === state.phase);
    const said = [now.verb, unit, ...state.via.filter((each) => each !== place), place].join(" ");
    state.via = [];
    if (await order(said)) await choose(unit);
  }
  function by(place) {
    if (state.via[state.via.length - 1] !== place) state.via.push(place);
    hand();
    say([`By way of ${state.via.join(", ")}.`]);
  }

  // Orders.
  async function openForm(verb, words) {
    const found = await ask("form?" + new URLSearchParams({ verb: verb, words: words || "" }));
    if (!found) return;
    if (!found.html) {
      inWords(verb + " ", found.example);
      return;
    }
    if (!plane) clear();
    put({ compose: found.html });
    tab("compose");
    state.aim = (words || "").split(" ")[0];
    hand();
    state.form = kurskForm(get("form"), tryForm);
    const first = get("form").querySelector("input");
    if (first) first.focus({ preventScroll: true });
    tryForm();
  }
  function closeForm() {
    if (!state.form) return;
    state.form = null;
    state.aim = "";
    get("compose").innerHTML = "";
    for (const each of all(".chosen")) each.classList.remove("chosen");
    hand();
    tab("orders", true);
  }
  function inWords(text, example) {
    tab("orders");
    get("typed").value = text;
    get("typed").placeholder = example || "";
    get("typed").focus();
  }
  async function tryForm() {
    const opens = state.form.opens();
    if (opens) {
      openForm(get("form").dataset.verb, opens);
      return;
    }
    const words = state.form.words();
    const part = new Set([...get("form").querySelectorAll("input:checked")].map((each) => each.value));
    for (const each of all("#map [data-unit]")) each.classList.toggle("chosen", part.has(each.dataset.unit));
    if (!words) return;
    const found = await ask("try", { words: words });
    if (!found || !get("odds")) return;
    say([]);
    get("odds").innerHTML = found.html;
    get("brief").textContent = found.brief;
    get("brief").className = found.wrong ? "bad" : "";
  }
  async function order(words) {
    const found = await ask("order", { words: words });
    if (found) refresh(found);
    return Boolean(found);
  }
  async function change(path, body) {
    const found = await ask(path, body || {});
    if (!found) return;
    const unit = get("unit").hidden ? state.unit : state.shown;
    closeForm();
    clear();
    refresh(found);
    if (unit) choose(unit);
  }
  async function why(place) {
    const found = await ask("why?" + new URLSearchParams({ unit: state.unit, place: place }));
    if (found) say(found.lines);
  }

  // What is clicked on the map; Enter does the same where the mark is.
  function clicked(event, point) {
    state.at = null;
    const [pile, join] = [event.target.closest("[data-stack]"), event.target.closest(".join [data-place]")];
    if (pile) return spread(pile.dataset.stack);
    const counter = event.target.closest("[data-unit]");
    const place = join ? join.dataset.place : counter ? counter.dataset.at || "" : under(event);
    act(counter ? counter.dataset.unit : "", place, [Math.round(point.x), Math.round(point.y)], event.shiftKey);
  }
  function under(event) {
    const found = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.closest(".hits"));
    return found ? found.id.slice(3) : "";
  }
  function act(unit, place, point, byWay) {
    const composing = state.form && !get("compose").hidden && get("form");
    if (composing && unit && place !== state.spread) spread(place);
    const meant = plane && !unit ? way([point]) : place;
    const foe = unit && !all("#map [data-unit].mine").some((each) => each.dataset.unit === unit);
    if (composing && ((unit && state.form.unit(unit)) || (meant && state.form.place(meant, Boolean(unit))))) return;
    if (composing && unit && !foe) return say([`${unit} has no part in this order. Cancel it first, or press Esc.`]);
    const target = plane && state.unit ? (state.targets || []).find((each) => each.verb && each.units.includes(unit)) : null;
    if (target) return void fires(target.verb, target.place, unit);
    if (plane && state.unit && !unit) return void (byWay ? bend(point) : pointed(point));
    if (state.lit[place] && byWay) by(place);
    else if (state.lit[place] && (!unit || unit === state.unit)) goTo(place);
    else if (unit) choose(unit);
    else if (state.unit && place) why(place);
    else if (place) showPlace(place);
  }
  async function showPlace(place) {
    const found = await ask("place/" + encodeURIComponent(place));
    if (!found) return;
    put({ unit: found.html });
    tab("unit");
  }
  function grab(event) {
    const counter = event.target.closest("[data-unit].mine");
    if (!counter || (state.form && !get("compose").hidden)) return null;
    const ready = state.unit === counter.dataset.unit ? Promise.resolve() : choose(counter.dataset.unit);
    const bends = []; // a hand may be quicker than the answer, which begins with an empty way
    return {
      over(moved, point) {
        const place = under(moved);
        state.via = bends;
        if (moved.shiftKey && state.lit[place] && state.via[state.via.length - 1] !== place) state.via.push(place);
        state.at = [point.x, point.y];
        if (plane) return draws(counter, moved.shiftKey);
        hand(state.lit[place]);
      },
      async drop(dropped, point) {
        state.at = null;
        await ready;
        state.via = dropped ? bends : [];
        if (!dropped) return hand();
        const place = under(dropped);
        if (state.lit[place]) goTo(place);
        else if (plane) await pointed([Math.round(point.x), Math.round(point.y)]);
        else if (place && place !== counter.dataset.at) why(place);
        hand();
      },
    };
  }
  get("map").addEventListener("contextmenu", (event) => {
    event.preventDefault();
    spread("");
    clear();
  });
  get("map").addEventListener("pointermove", (event) => {
    if (!state.unit || event.buttons || plane) return;
    const place = under(event);
    if (place === state.hovered) return;
    state.hovered = place;
    hand(state.lit[place]);
    clearTimeout(state.hover);
    const taken = get("compose").hidden && place && !state.lit[place] && !counters(place).length;
    if (taken) state.hover = setTimeout(() => state.unit && why(place), 700);
  });

  // What is clicked in the panels.
  const buttons = {
    verb: (at) => {
      if (at.dataset.alone) order(at.dataset.verb);
      else if (at.dataset.verb === "note") inWords("note ", "note a word to my opponent");
      else openForm(at.dataset.verb, "");
    },
    target: async (at) => {
      const unit = state.shown;
      await openForm(at.dataset.verb, at.dataset.words);
      if (state.form && get("form")) state.form.include(unit);
    },
    choose: (at) => choose(at.dataset.unitId),
    lights: (at) => light(at.dataset.phase),
    end: (at) => {
      light(at.dataset.phase);
      goTo(at.dataset.place);
    },
    turn: (at) => rotate(Number(at.dataset.step)),
    out: (at) => change("out", { number: at.dataset.number, words: at.dataset.words }),
    up: (at) => change("up", { number: at.dataset.number, words: at.dataset.words }),
    talk: (at) => signed("talk", { what: at.dataset.what }, "Sign this?"),
  };
  const named = {
    cancel: closeForm, sign: () => signed("sign", {}, "Sign this message?"), undo: () => change("undo"), redo: () => change("redo"),
    keys: () => get("help").showModal(), again: () => signed("again", {}),
  };
  document.addEventListener("click", (event) => {
    const at = event.target.closest("button");
    if (!at) return;
    if (at.getAttribute("role") === "tab") tab(at.id.slice(4));
    else if (at.dataset.tab) tab(at.dataset.tab, true);
    else if (named[at.id]) named[at.id]();
    else for (const kind of at.classList) if (buttons[kind]) buttons[kind](at);
  });
  document.addEventListener("submit", async (event) => {
    const id = event.target.id;
    if (!["words", "form", "search", "policy", "onward"].includes(id)) return;
    event.preventDefault();
    if (id === "words") {
      const words = get("typed").value;
      get("typed").value = "";
      if (!(await order(words)) && get("typed")) get("typed").value = words;
    } else if (id === "form") {
      if (!(await order(state.form.words()))) return;
      if (plane) clear();
      closeForm();
    } else if (id === "policy") {
      const found = await ask("policy", { policy: get("policy-text").value, kept: get("policy-stamp").value });
      if (found) keepPolicy(found);
    } else if (id === "onward") {
      signed("talk", { ...Object.fromEntries(new FormData(event.target)), what: "successor" }, "Offer to go on like this?");
    } else find(get("wanted").value);
  });
  document.addEventListener("change", (event) => {
    if (event.target.closest("#layers")) layers();
  });
  function layers() {
    for (const each of all("#layers input")) {
      for (const layer of all(".layer-" + each.value)) layer.toggleAttribute("hidden", !each.checked);
    }
  }
  function keepPolicy(found) {
    const other = found.policy !== undefined; // what somebody else has kept meanwhile: it is shown before it goes
    say(other ? [found.why] : found.said, other);
    get("policy-stamp").value = found.stamp;
    get("policy-other").hidden = !other;
    get("policy-now").textContent = found.policy || "nothing";
    if (!other) get("policy-text").defaultValue = get("policy-text").value;
  }
  async function find(text) {
    const found = await ask("find?" + new URLSearchParams({ text: text }));
    if (!found) return;
    state.at = found.at;
    map.show(found.at[0], found.at[1]);
    get("map").focus();
    if (found.kind === "unit") choose(found.id);
    else {
      state.mark = found.id;
      hand();
    }
    say([found.name]);
  }

  const keys = {
    "+": () => map.zoom(0.8), "-": () => map.zoom(1.25), "0": map.fit, "/": () => get("wanted").focus(),
    "?": () => get("help").showModal(), Escape: () => (state.form ? closeForm() : (spread(""), clear())), n: () => walk(1), p: () => walk(-1), m: phase,
    s: () => spread(state.spread ? "" : state.mark || (all("#map .chosen")[0] || { dataset: {} }).dataset.at),
    ",": () => rotate(0), ".": () => rotate(1),
    w: () => (plane && state.unit && state.at ? why(way([state.at], ", ")) : state.unit && state.mark ? why(state.mark) : say(["Choose a unit and a hex first."])),
    v: () => (state.lit[state.mark] ? by(state.mark) : say(["A way goes by hexes that are lit."])),
  };
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    const at = event.target;
    const on = at === document.body || Boolean(at.closest("#map"));
    if ((event.ctrlKey || event.metaKey) && !at.matches("input:not([type=checkbox],[type=radio]),textarea")) {
      if (event.key === "z") change("undo");
      else if (event.key === "y") change("redo");
      else return;
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || at.closest("select,textarea,dialog")) return;
    if (at.matches("input") && !["Escape"].includes(event.key)) return;
    if (event.key === "Escape" && at.matches("input")) get("map").focus();
    if (at.getAttribute("role") === "tab" && event.key.startsWith("Arrow")) {
      const tabs = all("[role=tab]");
      const on = event.key === "ArrowRight" || event.key === "ArrowDown";
      tab(tabs[(tabs.indexOf(at) + (on ? 1 : tabs.length - 1)) % tabs.length].id.slice(4), true);
    } else if (on && arrows[event.key]) {
      if (event.shiftKey) map.pan(arrows[event.key][0] / 10, arrows[event.key][1] / 10);
      else step(...arrows[event.key]);
    } else if (on && event.key === "Enter") enter(event.shiftKey);
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  });

  // Counters can be read aloud; those of the player at this board are walked with n and p.
  function dress() {
    const own = get("bar").querySelector("[data-own]");
    for (const each of all("#map [data-unit]")) {
      each.setAttribute("role", "button");
      each.setAttribute("tabindex", "-1");
      each.setAttribute("aria-label", label(each));
      each.classList.toggle("mine", Boolean(own && own.dataset.own && each.classList.contains(own.dataset.own)));
      each.classList.toggle("chosen", each.dataset.unit === state.unit);
    }
    if (state.spread) spread(state.spread);
    layers();
    hand();
  }
  async function watch() {
    if (main.dataset.past) return;
    const busy = () => leaving() || state.signing || document.querySelector("dialog[open]");
    const found = busy() ? null : await ask("stamp");
    if (busy()) return setTimeout(watch, 3000);
    if (found && found.seq !== state.seq && state.seq !== undefined) location.reload();
    if (found) state.seq = found.seq;
    if (found && found.stamp !== state.stamp) {
      const now = await ask("now");
      if (now && now.stamp !== state.stamp && !busy()) takeIn({ ...now, said: ["The draft was changed outside; the page has taken the change in."] });
    }
    setTimeout(watch, document.hidden ? 60000 : 3000);
  }
  function begin() {
    window.addEventListener("pagehide", () => kept(map.view()));
    const view = kept();
    if (view) return map.look(view);
    const at = all("#map [data-unit]").map(spot);
    const half = (list) => list.sort((one, other) => one - other)[Math.floor(list.length / 2)];
    if (at.length && !plane) map.show(half(at.map((each) => each[0])), half(at.map((each) => each[1])), 2);
  }
  dress();
  begin();
  tab(main.dataset.first);
  watch();
})();
