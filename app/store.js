// The player's files in IndexedDB. All changes of a request are one strict transaction, before its answer is shown.
const FORMAT = 1;
const done = (request) => new Promise((yes, no) => {
  request.onsuccess = () => yes(request.result);
  request.onerror = () => no(request.error);
});

export async function openStore(name = "kursk") {
  const request = indexedDB.open(name, FORMAT);
  request.onupgradeneeded = () => request.result.createObjectStore("files");
  return done(request);
}

// Write all stored files into the file system; from then on note the paths that change
export async function load(db, FS, home) {
  const files = db.transaction("files").objectStore("files");
  const [paths, entries] = await Promise.all([done(files.getAllKeys()), done(files.getAll())]);
  const stored = new Set(paths);
  FS.mkdirTree(home);
  paths.forEach((path, at) => { // in order: a folder comes before its files
    const { data, mode, time } = entries[at];
    if (data) FS.writeFile(path, data);
    else FS.mkdirTree(path);
    FS.chmod(path, mode);
    FS.utime(path, time, time);
  });
  return { db, FS, home: home + "/", stored, changed: note(FS) };
}

// Return the set of paths that change: every operation that writes adds its paths
function note(FS) {
  const changed = new Set();
  const { dir, file } = FS.filesystems.MEMFS.ops_table;
  const wrap = (table, name, find) => {
    const inner = table[name];
    table[name] = (...given) => {
      for (const path of find(...given)) changed.add(path);
      return inner(...given);
    };
  };
  const child = (parent, name) => [FS.getPath(parent) + "/" + name];
  for (const name of ["mknod", "unlink", "rmdir", "symlink"]) wrap(dir.node, name, child);
  wrap(dir.node, "rename", (node, parent, name) => [FS.getPath(node), ...child(parent, name)]);
  for (const table of [dir.node, file.node]) wrap(table, "setattr", (node) => [FS.getPath(node)]);
  wrap(file.stream, "write", (stream) => [FS.getPath(stream.node)]);
  return changed;
}

// Store what has changed; nothing is stored if this fails
export async function save({ db, FS, home, stored, changed }) {
  const [puts, gone] = [new Map(), new Set()];
  const visit = (path) => {
    const { exists, object } = FS.analyzePath(path, true);
    if (!exists) return [...stored].filter((each) => each === path || each.startsWith(path + "/")).forEach((each) => gone.add(each));
    const folder = FS.isDir(object.mode);
    const time = FS.stat(path).mtime.getTime();
    puts.set(path, { mode: object.mode & 0o7777, time, ...(!folder && { data: FS.readFile(path) }) });
    if (folder) FS.readdir(path).filter((name) => name !== "." && name !== "..").forEach((name) => puts.has(`${path}/${name}`) || visit(`${path}/${name}`));
  };
  for (const path of changed) if (path.startsWith(home) && !puts.has(path)) visit(path);
  changed.clear();
  if (!puts.size && !gone.size) return;
  const transaction = db.transaction("files", "readwrite", { durability: "strict" });
  const files = transaction.objectStore("files");
  gone.forEach((path) => files.delete(path));
  puts.forEach((entry, path) => files.put(entry, path));
  await new Promise((yes, no) => {
    transaction.oncomplete = yes;
    transaction.onabort = () => no(transaction.error);
  });
  gone.forEach((path) => stored.delete(path));
  puts.forEach((_entry, path) => stored.add(path));
}
