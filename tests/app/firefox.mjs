// node --experimental-websocket firefox.mjs PORT ADDRESS: plays in a running Firefox by WebDriver BiDi; prints what it did.
const [port, address] = process.argv.slice(2);
const socket = new WebSocket(`ws://127.0.0.1:${port}/session`);
await new Promise((yes, no) => Object.assign(socket, { onopen: yes, onerror: () => no(Error("Firefox does not listen")) }));
const waiting = new Map();
socket.onmessage = ({ data }) => {
  const { id, result, message } = JSON.parse(data);
  waiting.get(id)?.(result || Promise.reject(Error(message)));
};
let count = 0;
const send = (method, params) => new Promise((done) => {
  waiting.set(++count, done);
  socket.send(JSON.stringify({ id: count, method, params }));
});
await send("session.new", { capabilities: {} });
const window = async () => (await send("browsingContext.getTree", {})).contexts[0];
const { context } = await window();
await send("browsingContext.setViewport", { context, viewport: { width: 1280, height: 850 } });

// The value of an expression in the board's frame, as soon as it is true
async function until(expression) {
  let shown;
  for (let tries = 0; tries < 300; tries++) {
    const [frame] = (await window()).children || [];
    const target = frame && { context: frame.context };
    const evaluate = (text) => send("script.evaluate", { expression: text, target, awaitPromise: true }).catch(() => null);
    const got = target && (await evaluate(expression));
    if (got?.result?.value) return got.result.value;
    if (target) shown = (await evaluate("document.body.innerText"))?.result?.value;
    await new Promise((go) => setTimeout(go, 200));
  }
  throw Error(`this did not happen: ${expression}\n${shown?.slice(0, 600)}`);
}
const click = (what) => until(`(() => { const found = ${what}; found?.click(); return Boolean(found); })()`);
const button = (name) => `[...document.querySelectorAll("button")].find((each) => each.textContent === ${JSON.stringify(name)})`;

await send("browsingContext.navigate", { context, url: address, wait: "none" });
await until(`document.querySelector("summary")?.checkVisibility()`); // the frame is shown
await click(`[...document.querySelectorAll("summary")].find((each) => each.textContent.includes("make your key"))`);
await until(`(() => { const field = document.querySelector("input[name=owner]"); field.value = "Anna"; return field.checkVisibility(); })()`);
await click(button("Make my key"));
await until(`document.body.textContent.includes("Your key is ready")`);
await click(button("Play both sides"));
await until(`document.querySelector("#map") && document.body.dataset.asked === "0"`);
await click(`document.querySelector("#sign")`);
await until(`document.querySelector("#signing").open && ${button("Sign it")}.checkVisibility()`);
await click(button("Sign it"));
await until(`document.querySelector("#signed").open`);
await send("browsingContext.reload", { context, wait: "none" });
await new Promise((go) => setTimeout(go, 1000));
console.log(await until(`document.readyState === "complete" && document.querySelector("#bar")?.innerText`));
await send("browser.close", {});
