"use strict";
(function () {
  const NS = "http://www.w3.org/2000/svg";
  const get = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];

  // Files can be dropped on any page.
  const drop = get("drop");
  if (drop) {
    document.addEventListener("dragover", (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      if (!event.dataTransfer.files.length) return;
      get("mails").files = event.dataTransfer.files;
      drop.submit();
    });
  }
  const main = get("main");
  if (!main || !main.dataset.game) return;

  const base = "/game/" + main.dataset.game + "/";
  const picture = document.querySelector("#map svg");
  const state = { unit: "", lit: {}, stamp: picture.dataset.stamp || "", done: [], undone: [] };
  const map = kurskMap(get("map"), picture, clicked);

  async function ask(path, body) {
    const how = body === undefined ? {} : {
      method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: new URLSearchParams(body),
    };
    try {
      const answer = await fetch(base + path, how);
      const found = await answer.json();
      if (!answer.ok) say([found.why], true);
      return answer.ok ? found : null;
    } catch (error) {
      say(["The board does not answer. Is 'kursk board' still running?"], true);
      return null;
    }
  }
  function say(lines, bad) {
    get("said").className = bad ? "bad" : "";
    get("said").textContent = lines.filter(Boolean).join(" ");
  }
  function put(panels) {
    for (const id of Object.keys(panels)) if (get(id)) get(id).innerHTML = panels[id];
    dress();
  }
  function refresh(found) {
    put(found.panels);
    for (const name of Object.keys(found.layers)) get("layer-" + name).innerHTML = found.layers[name];
    state.stamp = found.stamp;
    dressCounters();
    if (found.said) say(found.said, found.bad);
  }
  function tab(name) {
    for (const each of all("[role=tab]")) {
      const on = each.id === "tab-" + name;
      each.setAttribute("aria-selected", String(on));
      each.tabIndex = on ? 0 : -1;
      get(each.getAttribute("aria-controls")).hidden = !on;
    }
  }

  // What is lit.
  function made(name, attributes, text) {
    const node = document.createElementNS(NS, name);
    for (const key of Object.keys(attributes)) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    return node;
  }
  function clear() {
    state.unit = "";
    state.lit = {};
    get("layer-lit").replaceChildren();
    for (const each of all(".chosen")) each.classList.remove("chosen");
  }
  function light(ends) {
    const drawn = [];
    state.lit = {};
    for (const end of ends) {
      const hex = get("at-" + end.place);
      if (!hex || state.lit[end.place]) continue;
      state.lit[end.place] = end;
      drawn.push(made("path", { d: hex.getAttribute("d"), class: end.marked ? "danger" : "" }));
      drawn.push(made("text", { x: end.at[0], y: end.at[1] + 120 }, end.cost + (end.marked ? "!" : "")));
    }
    get("layer-lit").replaceChildren(...drawn);
  }
  async function choose(unit) {
    const found = await ask("unit/" + encodeURIComponent(unit));
    if (!found) return;
    clear();
    get("unit").innerHTML = found.html;
    for (const each of all("[data-unit]")) if (each.dataset.unit === unit) each.classList.add("chosen");
    if (found.mine) {
      state.unit = unit;
      light(found.ends);
      tab("unit");
    } else if (found.verb) {
      openForm(found.verb, found.words);
    } else tab("unit");
  }
  async function openForm(verb, words) {
    const found = await ask("form?" + new URLSearchParams({ verb: verb, words: words || "" }));
    if (!found) return;
    if (!found.html) {
      tab("orders");
      get("typed").value = verb + " ";
      get("typed").placeholder = found.example;
      get("typed").focus();
      return;
    }
    put({ order: found.html });
    tab("order");
    const first = get("form") && get("form").querySelector("input");
    if (first) first.focus();
    tryForm();
  }
  function composed() {
    const form = get("form");
    const words = [form.dataset.verb, form.dataset.words];
    let filled = Boolean(form.dataset.words);
    for (const clause of form.querySelectorAll(".clause")) {
      const chosen = [...clause.querySelectorAll("input:checked")].map((each) => each.value).filter(Boolean);
      if (chosen.length) {
        filled = true;
        words.push(clause.dataset.word, ...chosen);
      }
    }
    return filled ? words.filter(Boolean).join(" ") : "";
  }
  async function tryForm() {
    const words = composed();
    get("form").querySelector(".words").textContent = words;
    if (!words) return;
    const found = await ask("try", { words: words });
    if (found && get("odds")) get("odds").innerHTML = found.html;
  }
  async function order(words, again) {
    const found = await ask("order", { words: words, stamp: state.stamp });
    if (!found) return false;
    if (!again) state.undone = [];
    state.done.push(words);
    refresh(found);
    return true;
  }
  async function undo() {
    const found = await ask("undo", { stamp: state.stamp });
    if (!found) return;
    if (state.done.length) state.undone.push(state.done.pop());
    clear();
    refresh(found);
  }
  async function redo() {
    if (state.undone.length) await order(state.undone.pop(), true);
    else say(["There is nothing to do again."]);
  }
  async function why(place) {
    if (!state.unit) return;
    const found = await ask("why?" + new URLSearchParams({ unit: state.unit, place: place }));
    if (found) say(found.lines);
  }
  async function goTo(place) {
    const end = state.lit[place];
    const unit = state.unit;
    if (await order(end.order)) await choose(unit);
  }

  function clicked(event, point) {
    const counter = event.target.closest("[data-unit]");
    const hex = event.target.closest("[data-place]") || under(event);
    const place = hex ? hex.dataset.place : "";
    if (counter) {
      const unit = counter.dataset.unit;
      if (toggled(unit)) return;
      choose(unit);
    } else if (state.lit[place]) goTo(place);
    else if (state.unit && place) why(place);
    else if (place) showPlace(place);
    else if (!place && state.unit && !picture.querySelector(".hits path")) pointed(point);
  }
  function under(event) {
    return document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.dataset && each.dataset.place);
  }
  function pointed(point) {
    const inches = (value) => (Math.round(value / 10) / 100).toFixed(2);
    get("typed").value = `move ${state.unit} ${inches(point.x)} ${inches(point.y)}`;
    tab("orders");
    get("typed").focus();
  }
  function toggled(unit) {
    if (get("order").hidden || !get("form")) return false;
    const found = [...get("form").querySelectorAll("input")].filter((each) => each.value === unit);
    if (!found.length) return false;
    found[0].checked = !found[0].checked;
    tryForm();
    return true;
  }
  async function showPlace(place) {
    const found = await ask("place/" + encodeURIComponent(place));
    if (!found) return;
    put({ unit: found.html });
    tab("unit");
  }

  async function sign() {
    const found = await ask("sign", { stamp: state.stamp });
    if (!found) return;
    get("understood").innerHTML = found.html;
    const box = get("signing");
    box.returnValue = "no";
    box.showModal();
    box.onclose = async () => {
      if (box.returnValue !== "yes") return;
      say(["Signing …"]);
      const signed = await ask("sign", { stamp: state.stamp, really: "yes" });
      if (signed) location.reload();
    };
  }

  // What is clicked in the panels.
  document.addEventListener("click", (event) => {
    const at = event.target.closest("button");
    if (!at) return;
    if (at.getAttribute("role") === "tab") tab(at.id.slice(4));
    else if (at.id === "sign") sign();
    else if (at.id === "undo") undo();
    else if (at.id === "keys") get("help").showModal();
    else if (at.classList.contains("verb") || at.classList.contains("target")) openForm(at.dataset.verb, at.dataset.words);
    else if (at.classList.contains("end")) order(at.dataset.order).then((well) => well && choose(state.unit));
    else if (at.classList.contains("out")) ask("out", { number: at.dataset.out, stamp: state.stamp }).then((found) => found && refresh(found));
  });
  document.addEventListener("submit", async (event) => {
    if (event.target.id === "words") {
      event.preventDefault();
      if (await order(get("typed").value)) get("typed") && (get("typed").value = "");
    } else if (event.target.id === "form") {
      event.preventDefault();
      if (await order(composed())) tab("orders");
    } else if (event.target.id === "search") {
      event.preventDefault();
      find(get("wanted").value);
    }
  });
  document.addEventListener("change", (event) => {
    if (event.target.closest("#form")) tryForm();
    if (event.target.closest("#layers")) layers();
  });
  function layers() {
    for (const each of all("#layers input")) {
      for (const layer of all(".layer-" + each.value)) layer.toggleAttribute("hidden", !each.checked);
    }
  }
  function find(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return;
    const named = (each) => (each.querySelector("title") || {}).textContent || "";
    const unit = all("#map [data-unit]").find((each) => named(each).toLowerCase().includes(wanted));
    const place = get("at-" + text.trim()) || all("#map .name").find((each) => each.textContent.toLowerCase().includes(wanted));
    const found = place || unit;
    if (!found) return say([`Nothing here is called ${text}.`], true);
    const box = found.getBBox();
    const moved = found.transform && found.transform.baseVal.consolidate();
    map.show(box.x + box.width / 2 + (moved ? moved.matrix.e : 0), box.y + box.height / 2 + (moved ? moved.matrix.f : 0));
  }

  const keys = {
    "+": () => map.zoom(0.8), "-": () => map.zoom(1.25), "0": map.fit, "/": () => get("wanted").focus(),
    "?": () => get("help").showModal(), Escape: clear,
    ArrowLeft: () => map.pan(-0.1, 0), ArrowRight: () => map.pan(0.1, 0),
    ArrowUp: () => map.pan(0, -0.1), ArrowDown: () => map.pan(0, 0.1),
  };
  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.ctrlKey && !at.closest("input")) {
      if (event.key === "z") undo();
      else if (event.key === "y") redo();
      else return;
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || at.closest("input,select,dialog")) return;
    if (at.getAttribute("role") === "tab" && event.key.startsWith("Arrow")) {
      const tabs = all("[role=tab]");
      const next = tabs[(tabs.indexOf(at) + (event.key === "ArrowRight" ? 1 : tabs.length - 1)) % tabs.length];
      tab(next.id.slice(4));
      next.focus();
    } else if (at.dataset && at.dataset.unit && (event.key === "Enter" || event.key === " ")) choose(at.dataset.unit);
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  });

  // Counters can be reached with the keyboard and read aloud.
  function dressCounters() {
    for (const each of all("#map [data-unit]")) {
      each.setAttribute("role", "button");
      each.setAttribute("tabindex", "0");
      each.setAttribute("aria-label", (each.querySelector("title") || {}).textContent || each.dataset.unit);
    }
  }
  function dress() {
    layers();
  }
  async function watch() {
    if (!document.hidden) {
      const found = await ask("stamp");
      if (found && found.gone) location.reload();
      else if (found && found.stamp !== state.stamp) {
        const now = await ask("now");
        if (now) refresh({ ...now, said: ["The draft was changed outside; the page has taken the change in."] });
      }
    }
    setTimeout(watch, 3000);
  }
  function begin() {
    const at = all("#map [data-unit]").map((each) => each.transform.baseVal.consolidate().matrix);
    const middle = (list) => list.sort((one, other) => one - other)[Math.floor(list.length / 2)];
    if (at.length) map.show(middle(at.map((each) => each.e)), middle(at.map((each) => each.f)), 2);
  }
  dressCounters();
  dress();
  begin();
  tab("orders");
  setTimeout(watch, 3000);
})();
