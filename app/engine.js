// Pyodide with the package and the board. A worker of the page runs it; the build and the tests run it under Node.
import * as ed from "./noble/ed25519.js";
import { sha512 } from "./noble/hashes/sha2.js";

ed.hashes.sha512 = sha512;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
export const HOME = "/home/kursk";
const little = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
const times = (point, factor) => (factor === 0n ? ed.Point.ZERO : point.multiply(factor, false));

// As OpenSSL, without cofactor: encode([S]B - [k]A) == R. The library's own verify accepts more signatures
function verify(key, signature, message) {
  const [R, S] = [signature.slice(0, 32), little(signature.slice(32))];
  if (signature.length !== 64 || S >= ORDER) return false;
  let A;
  try {
    A = ed.Point.fromBytes(key, true);
  } catch {
    return false; // no point of the curve
  }
  const k = little(sha512(Uint8Array.of(...R, ...key, ...message))) % ORDER;
  const made = times(ed.Point.BASE, S).subtract(times(A, k)).toBytes();
  return made.every((byte, at) => byte === R[at]);
}
export const ed25519 = {
  verify,
  sign: (seed, message) => ed.sign(message, seed),
  public: (seed) => ed.getPublicKey(seed),
};

// ``zip``: the archive of the program. ``fetchRest``: returns the second archive at once
export async function start({ loadPyodide, zip, fetchRest, ...options }) {
  const py = await loadPyodide({ ...options, env: { HOME, KURSK_HOME: HOME + "/kursk", PYTHONHASHSEED: "0" } });
  py.registerJsModule("kursk_ed25519", ed25519);
  const unpack = (bytes) => py.unpackArchive(bytes, "zip", { extractDir: "/app" });
  unpack(await zip);
  py.globals.set("_fetch", () => unpack(fetchRest()));
  py.runPython("import sys; sys.path.insert(0, '/app'); import kursk_page; sys.meta_path.append(kursk_page.Rest(_fetch))");
  return py;
}

// Open the board below a path, or the opponent of practice; return a function that answers a request, and its first page
export function openBoard(py, root, practice = false) {
  const page = py.pyimport("kursk_page");
  const opened = practice ? page.open_opponent(root) : page.open_board(root, globalThis.location?.origin || "");
  const [board, first] = [opened.get(0), opened.get(1)];
  const ask = (method, path, query, headers, body) => {
    const given = py.toPy([headers, body]);
    const got = board(method, path, query, given.get(0), given.get(1));
    const [status, heads, data] = got.toJs();
    given.destroy();
    got.destroy();
    return { status, headers: heads, data };
  };
  return { ask, first };
}
