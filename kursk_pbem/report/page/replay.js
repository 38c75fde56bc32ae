"use strict";
(function () {
  const NS = "http://www.w3.org/2000/svg";
  const data = JSON.parse(document.getElementById("data").textContent);
  const get = (id) => document.getElementById(id);
  const picture = document.querySelector("#map svg");
  const map = kurskMap(get("map"), picture);
  const state = { frame: 0, timer: 0, marked: "" };
  const STEP = 90; // how far the counters of a stack stand apart

  function node(name, attributes, text) {
    const made = document.createElementNS(NS, name);
    for (const key of Object.keys(attributes)) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  }
  function words(name, text, kind) {
    const made = document.createElement(name);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }
  function fill(panel, children) {
    get(panel).replaceChildren(...children);
  }

  function pieces(upTo) {
    const now = {};
    for (let number = 0; number <= upTo; number += 1) Object.assign(now, data.frames[number].pieces);
    return now;
  }
  function drawPieces(now) {
    const stacks = new Map();
    for (const id of Object.keys(now)) {
      if (!now[id]) continue;
      const key = now[id][0] + "," + now[id][1];
      if (!stacks.has(key)) stacks.set(key, []);
      stacks.get(key).push([now[id][3], id]);
    }
    const drawn = [];
    for (const stack of stacks.values()) {
      stack.sort((one, other) => one[0] - other[0]);
      const top = stack.slice(0, 2);
      const step = top.length > 1 ? STEP / 2 : 0;
      for (let place = top.length - 1; place >= 0; place -= 1) {
        const [x, y, look] = now[top[place][1]];
        const off = step * (1 - 2 * place);
        const used = node("use", { href: "#look-" + look, x: x + off, y: y - off });
        used.appendChild(node("title", {}, stack.map((each) => data.names[each[1]] + " (" + each[1] + ")").join(", ")));
        drawn.push(used);
      }
      if (stack.length > 1) {
        const [x, y] = now[stack[0][1]];
        drawn.push(node("circle", { class: "count", cx: x + 575, cy: y + 575, r: 190 }));
        drawn.push(node("text", { class: "count", x: x + 575, y: y + 660 }, String(stack.length)));
      }
    }
    get("pieces").replaceChildren(...drawn);
  }
  function arrow(each, old) {
    const points = each[2].map((point) => point.join(",")).join(" ");
    const kind = "arrow " + each[1] + " " + each[0] + (old ? " old" : "");
    return node("polyline", { class: kind, points: points, "marker-end": "url(#tip)" });
  }
  function burst(each) {
    const group = node("g", {});
    const star = "M0-260L62-84L246-80L100 32L152 210L0 106L-152 210L-100 32L-246-80L-62-84z";
    group.appendChild(node("path", { class: "burst", d: star, transform: `translate(${each[0] - 520},${each[1] - 560}) scale(1.5)` }));
    if (each[2]) group.appendChild(node("text", { class: "burst-text", x: each[0] - 520, y: each[1] - 480 }, each[2]));
    return group;
  }

  function show(number) {
    state.frame = Math.max(0, Math.min(data.frames.length - 1, number));
    const frame = data.frames[state.frame];
    const before = [];
    for (let back = state.frame - 1; back >= 0 && data.frames[back].m === frame.m; back -= 1) before.push(...data.frames[back].arrows);
    get("overlay").setAttribute("href", "#overlay-" + frame.overlay);
    drawPieces(pieces(state.frame));
    get("old").replaceChildren(...before.map((each) => arrow(each, true)));
    get("new").replaceChildren(...frame.arrows.map((each) => arrow(each, false)), ...frame.bursts.map(burst));
    mark();
    tell(frame);
    get("line").value = state.frame;
    get("turn").value = frame.turn;
  }
  function tell(frame) {
    const message = data.messages[frame.m];
    get("where").textContent = `Turn ${frame.turn}: ${frame.title}`;
    const report = [];
    report.push(words("p", `Message ${frame.m}${message.kind === "turn" ? "" : ` (${message.kind})`}, from ${message.from}.`));
    if (message.note) report.push(words("blockquote", message.note));
    if (message.headlines.length) {
      const list = document.createElement("ul");
      for (const line of message.headlines) list.appendChild(words("li", line));
      report.push(list);
    }
    report.push(words("pre", frame.lines.join("\n")));
    fill("report", report);
    const table = document.createElement("table");
    for (const row of message.standing) {
      const line = document.createElement("tr");
      for (const cell of row) line.appendChild(words("td", cell));
      table.appendChild(line);
    }
    fill("standing", [table]);
    fill("luck", message.luck.length ? message.luck.map((line) => words("p", line)) : [words("p", "No dice have fallen yet.")]);
    fill("proof", [words("p", message.verified), words("p", "Id: " + message.id), ...data.verified.map((line) => words("p", line))]);
    chart(frame.m);
  }

  function chart(now) {
    fill("chart", data.charts.map((each) => {
      const box = document.createElement("div");
      box.appendChild(words("h3", each.name));
      const width = 400, height = 120, last = Math.max(1, each.values.length - 1);
      const all = each.values.flat();
      const low = Math.min(0, ...all), high = Math.max(1, ...all);
      const at = (index, value) => `${30 + (index / last) * (width - 40)},${height - 15 - ((value - low) / (high - low)) * (height - 30)}`;
      const drawn = node("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img" });
      const ends = each.values[each.values.length - 1].map((value, side) => `${data.sides[side] || ""} ${value}`).join(", ");
      drawn.appendChild(node("title", {}, `${each.name}: at the end ${ends}`));
      each.values[0].forEach((_value, side) => {
        const points = each.values.map((row, index) => at(index, row[side])).join(" ");
        drawn.appendChild(node("polyline", { class: side ? "b" : "a", points: points }));
        drawn.appendChild(node("text", { x: 40 + side * 150, y: 12 }, `${side ? "- -" : "\u2014"} ${each.values[0].length > 1 ? data.sides[side] : ""} ${each.values[now][side]}`));
      });
      const [x] = at(now, low).split(",");
      drawn.appendChild(node("line", { class: "now", x1: x, x2: x, y1: 15, y2: height - 15 }));
      drawn.appendChild(node("text", { x: 2, y: 20 }, String(high)));
      drawn.appendChild(node("text", { x: 2, y: height - 10 }, String(low)));
      box.appendChild(drawn);
      return box;
    }));
  }

  function mark() {
    const here = state.marked && pieces(state.frame)[state.marked];
    const at = here || data.places[state.marked];
    get("found").replaceChildren(...(at ? [node("circle", { class: "found", cx: at[0], cy: at[1], r: 900 })] : []));
    return at;
  }
  function find(text) {
    const wanted = text.trim().toLowerCase();
    const ids = Object.keys(data.names);
    const close = (name) => name.toLowerCase().includes(wanted);
    const id = ids.find((each) => each.toLowerCase() === wanted) || ids.find((each) => close(data.names[each])) || ids.find(close);
    state.marked = wanted ? Object.keys(data.places).find(close) || id || "" : "";
    if (ids.includes(wanted)) state.marked = wanted;
    const at = mark();
    if (at) map.show(at[0], at[1]);
  }
  function play() {
    if (state.timer) {
      clearInterval(state.timer);
      state.timer = 0;
    } else {
      if (state.frame === data.frames.length - 1) show(0);
      state.timer = setInterval(() => {
        if (state.frame === data.frames.length - 1) play();
        else show(state.frame + 1);
      }, 900);
    }
    get("play").textContent = state.timer ? "Pause" : "Play";
    get("play").setAttribute("aria-label", get("play").textContent);
  }
  function message(step) {
    const now = data.frames[state.frame].m;
    const wanted = data.frames.findIndex((frame) => frame.m === now + step);
    if (wanted >= 0) show(wanted);
  }
  function tab(chosen) {
    for (const each of document.querySelectorAll("[role=tab]")) {
      const on = each === chosen;
      each.setAttribute("aria-selected", String(on));
      each.tabIndex = on ? 0 : -1;
      get(each.getAttribute("aria-controls")).hidden = !on;
    }
  }

  const keys = {
    ArrowRight: () => show(state.frame + 1), ArrowLeft: () => show(state.frame - 1),
    PageDown: () => message(1), PageUp: () => message(-1),
    Home: () => show(0), End: () => show(data.frames.length - 1), " ": play, "0": map.fit,
    "+": () => map.zoom(0.8), "-": () => map.zoom(1.25), "/": () => get("wanted").focus(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target;
    if (at.id === "wanted") {
      if (event.key === "Escape") at.blur();
      return;
    }
    if (at.getAttribute && at.getAttribute("role") === "tab" && event.key.startsWith("Arrow")) {
      const all = [...document.querySelectorAll("[role=tab]")];
      const next = all[(all.indexOf(at) + (event.key === "ArrowRight" ? 1 : all.length - 1)) % all.length];
      tab(next);
      next.focus();
      event.preventDefault();
      return;
    }
    if (["BUTTON", "SELECT"].includes(at.tagName) && [" ", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    if (at.id === "line" && event.key.startsWith("Arrow")) return;
    if (keys[event.key]) {
      keys[event.key]();
      event.preventDefault();
    }
  });
  get("first").addEventListener("click", () => show(0));
  get("back").addEventListener("click", () => show(state.frame - 1));
  get("on").addEventListener("click", () => show(state.frame + 1));
  get("last").addEventListener("click", () => show(data.frames.length - 1));
  get("play").addEventListener("click", play);
  get("line").addEventListener("input", () => show(Number(get("line").value)));
  get("turn").addEventListener("change", () => show(data.frames.findIndex((frame) => frame.turn === get("turn").value)));
  get("search").addEventListener("submit", (event) => {
    event.preventDefault();
    find(get("wanted").value);
  });
  for (const each of document.querySelectorAll("[role=tab]")) {
    each.addEventListener("click", (event) => {
      tab(each);
      if (event.detail) each.blur(); // after the mouse the arrows step again
    });
  }

  get("check").textContent = "\u2713 " + data.verified[0];
  get("verdict").textContent = data.verdict;
  get("line").max = data.frames.length - 1;
  for (const turn of new Set(data.frames.map((frame) => frame.turn))) get("turn").appendChild(words("option", turn));
  for (const name of [...Object.keys(data.places), ...Object.keys(data.names)].sort()) {
    const made = document.createElement("option");
    made.value = name;
    get("known").appendChild(made);
  }
  tab(get("tab-report"));
  show(0);
})();
