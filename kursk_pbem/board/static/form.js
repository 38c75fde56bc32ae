"use strict";
// The form of one order: its clauses as words, in the order in which they stand. What they mean the server knows.
function kurskForm(form, changed) {
  const clauses = [...form.querySelectorAll(".clause")];
  let active = clauses[0];

  function activate(clause) {
    for (const each of clauses) each.classList.toggle("active", each === clause);
    active = clause;
  }
  function rows(clause) {
    return [...clause.querySelectorAll(".rows li")];
  }
  function chosen(clause) {
    if (clause.dataset.kind === "wishes") return rows(clause).map((row) => row.dataset.value);
    const found = [...clause.querySelectorAll("input:checked")].filter((each) => each.value);
    return found.map((each) => {
      const more = each.closest("li") && each.closest("li").querySelector(".more");
      return more && more.value ? `${each.value} ${more.value}` : each.value;
    });
  }
  function words() {
    const said = [form.dataset.verb, form.dataset.words];
    let filled = !clauses.length;
    for (const clause of clauses) {
      const found = chosen(clause);
      if (!found.length && !clause.dataset.had) continue; // what stood there and is taken out is said as empty
      filled = filled || found.length > 0 || Boolean(form.dataset.words); // emptied behind a first choice: taken back
      said.push(clause.dataset.word, ...(found.length || !clause.dataset.word ? found : ["none"]));
    }
    return filled ? said.filter(Boolean).join(" ") : "";
  }
  function count() {
    for (const clause of clauses) {
      const told = clause.querySelector(".counted");
      if (told) told.textContent = `${chosen(clause).length} chosen`;
    }
  }
  function told() {
    count();
    shows();
    changed();
  }
  function shows() {
    form.querySelector(".words").textContent = words();
    form.querySelector("#give").disabled = !words();
  }

  // A unit that is chosen last is the last of an order.
  function settle(input) {
    const row = input.closest(".rows li");
    if (!row || input.type !== "checkbox" || !input.checked) return;
    const others = rows(row.closest(".clause")).filter((each) => each !== row && each.querySelector("input:checked"));
    if (others.length) others[others.length - 1].after(row);
    else row.parentNode.prepend(row);
  }
  function higher(row) {
    if (row.previousElementSibling) row.previousElementSibling.before(row);
  }
  function wish(clause, place) {
    const head = clause.querySelector(".head:checked");
    const value = [head ? head.value : "", place].filter(Boolean).join(" ");
    const row = document.createElement("li");
    row.dataset.value = value;
    row.append(Object.assign(document.createElement("span"), { textContent: value }), " ");
    for (const [kind, sign, name] of [["higher", "\u2191", `${value} earlier`], ["drop", "\u00d7", `Without ${value}`]]) {
      const made = Object.assign(document.createElement("button"), { type: "button", className: kind, textContent: sign });
      made.setAttribute("aria-label", name);
      row.append(made, " ");
    }
    clause.querySelector(".rows").append(row);
    told();
  }
  function toggle(input) {
    if (input.type === "radio") input.checked = true;
    else input.checked = !input.checked;
    settle(input);
    input.scrollIntoView({ block: "nearest" });
    told();
  }

  form.addEventListener("focusin", (event) => {
    if (event.target.closest(".clause")) activate(event.target.closest(".clause"));
  });
  form.addEventListener("change", (event) => {
    if (event.target.matches(".head, .wish")) return;
    settle(event.target);
    told();
  });
  form.addEventListener("click", (event) => {
    const clause = event.target.closest(".clause");
    if (clause) activate(clause);
    const row = event.target.closest("li");
    if (event.target.classList.contains("higher")) higher(row);
    else if (event.target.classList.contains("drop")) row.remove();
    else if (event.target.classList.contains("add")) {
      const typed = clause.querySelector(".wish");
      if (typed.value.trim()) wish(clause, typed.value.trim());
      typed.value = "";
      return;
    } else return;
    told();
  });
  if (active) activate(active);
  count();
  shows();

  return {
    words,
    // A counter that is clicked on the map: whether the form has a place for it. The clause in hand comes first.
    unit(unit) {
      for (const clause of [active, ...clauses]) {
        const input = [...clause.querySelectorAll(".rows input, label > input")].find((each) => each.value === unit);
        if (input) {
          toggle(input);
          return true;
        }
      }
      return false;
    },
    // A unit from whose card the form was opened takes part.
    include(unit) {
      const inputs = [...form.querySelectorAll(".rows input, label > input")].filter((each) => each.value === unit);
      if (inputs.length && !inputs.some((each) => each.checked)) toggle(inputs[0]);
    },
    // A hex that is clicked on the map. Where somebody stands nobody goes, but perhaps towards it or away from it.
    place(place, taken) {
      for (const clause of [active, ...clauses]) {
        const proposed = [...clause.querySelectorAll("datalist option")].some((each) => each.value === place);
        const head = clause.querySelector(".head:checked");
        if (clause.dataset.kind === "wishes" && (!taken || proposed || (head && head.value))) {
          wish(clause, place);
          return true;
        }
        const input = [...clause.querySelectorAll("label > input")].find((each) => each.value === place);
        if (input && clause.dataset.kind === "place") {
          toggle(input);
          return true;
        }
      }
      return false;
    },
    // Where the form begins anew with what was chosen first.
    opens() {
      return form.dataset.opens && clauses.length ? chosen(clauses[0])[0] || "" : "";
    },
  };
}
