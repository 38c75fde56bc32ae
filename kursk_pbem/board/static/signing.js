"use strict";
// Signing a draft, and what is signed in place of orders: the page shows it as understood, asks, and says what to mail.
// What was shown has a digest, which is brought back with the yes: what has changed meanwhile is shown, and asked anew.
function kurskSigning(state, ask, say) {
  const get = (id) => document.getElementById(id);
  const AGAIN = 1500; // milliseconds: the second half of a double click must not sign what nobody has read

  async function signed(path, body, title) {
    state.signing = true; // the page stays as it is until this is decided, and what was signed has been read
    const found = await ask(path, body);
    if (!found) state.signing = false;
    else if (found.html) shows(path, body, title, found);
    else told(found, "Written");
  }
  function shows(path, body, title, found) {
    const box = get("signing");
    get("signing-title").textContent = title;
    get("understood").innerHTML = found.html;
    get("really").disabled = found.changed;
    if (found.changed) setTimeout(() => { get("really").disabled = false; }, AGAIN);
    box.returnValue = "no";
    box.onclose = async () => {
      if (box.returnValue !== "yes") {
        state.signing = false;
        return;
      }
      say(["Signing: if your key has a passphrase, it is asked in the window in which 'kursk board' runs."]);
      const done = await ask(path, { ...body, really: "yes", shown: found.shown });
      if (done) say([]);
      if (!done) state.signing = false;
      else if (done.changed) shows(path, body, title, done);
      else told(done, "Signed");
    };
    box.showModal();
  }
  function told(done, title) {
    get("signed-title").textContent = title;
    get("signed-mail").hidden = !done.mail;
    if (done.mail) get("signed-mail").href = done.mail;
    get("signed-text").replaceChildren(...done.said.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
    get("signed").onclose = () => location.reload();
    get("signed").showModal();
  }

  return signed;
}
