"use strict";
// Asking the board, one question after the other: ``refresh`` takes in what has changed since the page was filled.
function kurskAsking(base, state, refresh) {
  const get = (id) => document.getElementById(id);

  let turn = Promise.resolve();
  let open = 0;
  function ask(path, body) {
    const found = turn.then(() => asked(path, body));
    document.body.dataset.asked = open += 1;
    turn = found.catch(() => null).then(() => setTimeout(() => { document.body.dataset.asked = open -= 1; }));
    return found;
  }
  async function asked(path, body) {
    const how = body === undefined ? {} : {
      method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...body, stamp: state.stamp }),
    };
    try {
      const answer = await fetch(base + path, how);
      const found = await answer.json();
      if (answer.ok) return found;
      if (found.stale) {
        const now = await (await fetch(base + "now")).json();
        if (now.stamp) refresh(now);
      }
      say([found.why, body && body.words ? `Not written: ${body.words}` : ""], true);
      if (found.stale && body.words && get("typed")) get("typed").value = body.words;
    } catch (error) {
      say(["The board does not answer. Is 'kursk board' still running?"], true);
    }
    return null;
  }
  function say(lines, bad) {
    get("said").className = bad ? "bad" : "";
    get("said").textContent = lines.filter(Boolean).join(" ");
  }

  return { ask, say };
}
