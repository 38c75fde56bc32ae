// Under Node: lets the Python of the page compile and pack what lies in a folder. The same Python gives the same bytes.
import fs from "node:fs";
import path from "node:path";
const [folder, release] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(path.join(release, "pyodide.mjs"));
const { ed25519 } = await import(path.join(release, "engine.js"));
const py = await loadPyodide({ env: { HOME: "/home/kursk", KURSK_HOME: "/home/kursk/kursk" } });
py.registerJsModule("kursk_ed25519", ed25519);
py.mountNodeFS("/work", folder);
py.mountNodeFS("/app", path.join(folder, "app")); // at its final place, which compiled templates know
py.runPython(fs.readFileSync(new URL("python/compile.py", import.meta.url), "utf8"));
