"use strict";
// Signing a draft, and what is signed in place of orders: the page shows it as understood, asks, and says what to mail.
function kurskSigning(state, ask, say) {
  const get = (id) => document.getElementById(id);

  async function signed(path, body, title) {
    const found = await ask(path, body);
    if (!found) return;
    if (!found.html) return told(found, "Written");
    get("signing-title").textContent = title;
    get("understood").innerHTML = found.html;
    const box = get("signing");
    box.returnValue = "no";
    box.showModal();
    box.onclose = async () => {
      if (box.returnValue !== "yes") return;
      state.signing = true; // the page stays as it is until what was signed has been read
      say(["Signing: if your key has a passphrase, it is asked in the window in which 'kursk board' runs."]);
      const done = await ask(path, { ...body, really: "yes" });
      state.signing = Boolean(done);
      if (!done) return;
      say([]);
      told(done, "Signed");
    };
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
