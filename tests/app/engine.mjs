// Under Node: lets the engine of the page run a function of engine_checks.py.  node engine.mjs RELEASE TESTS PACKAGES NAME
import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

const [release, tests, packages, name] = process.argv.slice(2);
const { loadPyodide } = await import(path.join(release, "pyodide.mjs"));
const { start } = await import(path.join(release, "engine.js"));
const read = (file) => new Uint8Array(fs.readFileSync(path.join(release, file))).buffer;
const zip = new Uint8Array(gunzipSync(read("app.pack"))).buffer;
const stdLibURL = path.join(release, "stdlib.zip");
const py = await start({ loadPyodide, zip, stdLibURL, fetchRest: () => read("rest.zip") });
py.FS.mkdirTree("/repository/tests");
py.mountNodeFS("/repository/tests", tests);
py.FS.mkdirTree("/packages");
py.mountNodeFS("/packages", packages);
py.runPython("import sys; sys.modules['cryptography'] = None; sys.path[1:1] = ['/repository/tests']; sys.path.append('/packages')");
console.log(py.pyimport("app.engine_checks")[name]());
