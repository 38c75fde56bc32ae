"use strict";
// Asking the board, one question after the other: ``takeIn`` fills the page anew when something has changed outside.
// What a player has done is written into what they saw: a change from outside in between lets it fall, and says so.
function kurskAsking(base, state, takeIn) {
  const get = (id) => document.getElementById(id);
  const SLOW = "The board has not answered yet: it is at work, or other programs of this machine keep it busy. The page waits.";

  let turn = Promise.resolve();
  let open = 0;
  function ask(path, body) {
    const seen = state.outside;
    const found = turn.then(() => asked(path, body, seen));
    document.body.dataset.asked = open += 1;
    turn = found.catch(() => null).then(() => setTimeout(() => { document.body.dataset.asked = open -= 1; }));
    return found;
  }
  async function asked(path, body, seen) {
    if (body && !body.really && path !== "try" && seen !== state.outside) {
      say(["Something was changed outside while you did that, so it was not done. Look, and do it again.", unwritten(body)], true);
      return null;
    }
    const how = body === undefined ? {} : {
      method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...body, stamp: state.stamp, once: crypto.randomUUID() }),
    };
    const slow = body && body.really ? 0 : setTimeout(() => say([SLOW], true), 8000);
    try {
      const answer = await fetch(base + path, how);
      const found = await answer.json();
      if (get("said").textContent === SLOW) say([]);
      if (answer.ok || found.changed || found.policy !== undefined) return found;
      if (found.stale) {
        const now = await (await fetch(base + "now")).json();
        if (now.stamp) takeIn(now);
      }
      say([found.why, unwritten(body)], true);
      if (found.stale && body.words && get("typed")) get("typed").value = body.words;
    } catch (error) {
      say(["The board cannot be reached: 'kursk board' has ended, or other programs of this machine keep it from answering."], true);
    } finally {
      clearTimeout(slow);
    }
    return null;
  }
  function unwritten(body) {
    return body && body.words && !body.number ? `Not written: ${body.words}` : "";
  }
  function say(lines, bad) {
    get("said").className = bad ? "bad" : "";
    get("said").textContent = lines.filter(Boolean).join(" ");
  }

  return { ask, say };
}
