// Waiting submissions in IndexedDB, because the service worker reads them too:
//   `submissions` {id, base, versionId, data, seen, device?, editor?, revision?, draft, rows, at, problem?}
//   `files` {id, base, version, field, name, type, blob, fileId?}; `passing` ones exist as long as the page is open.

self.formwright ??= {};
self.formwright.store = (() => {
  let opening = null;
  // Files that the device does not store: they can be sent as long as the page is open.
  const memory = new Map();

  function open() {
    opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("formwright", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("submissions", { keyPath: "id" });
        request.result.createObjectStore("files", { keyPath: "id" });
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    // A device that refuses once may accept it the next time.
    opening.catch(() => (opening = null));
    return opening;
  }

  const LOST = ["InvalidStateError", "UnknownError"];

  // The browser may have closed the database of a page that was frozen.
  async function within(...all) {
    try {
      return await once(await open(), ...all);
    } catch (error) {
      if (!LOST.includes(error?.name)) throw error;
      opening = null;
      return once(await open(), ...all);
    }
  }

  function once(database, name, mode, act) {
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode, { durability: "strict" });
      const request = act(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  const get = async (name, id) => memory.get(id) ?? within(name, "readonly", (store) => store.get(id));
  const all = (name) => within(name, "readonly", (store) => store.getAll());

  async function put(name, record) {
    if (record.passing) return void memory.set(record.id, record);
    try {
      await within(name, "readwrite", (store) => store.put(record));
      memory.delete(record.id);
    } catch (error) {
      if (name !== "files") throw error;
      memory.set(record.id, record);
    }
  }

  /** Return whether it exists only as long as the page is open. */
  const passes = (id) => memory.has(id);

  /** Add it; returns false without a change if there is one with this id already. */
  const add = (name, record) => within(name, "readwrite", (store) => store.add(record)).then(() => true, falseIfExists);

  function falseIfExists(error) {
    if (error?.name !== "ConstraintError") throw error;
    return false;
  }

  function drop(name, id) {
    memory.delete(id);
    return within(name, "readwrite", (store) => store.delete(id));
  }

  return { get, all, add, put, passes, drop };
})();
