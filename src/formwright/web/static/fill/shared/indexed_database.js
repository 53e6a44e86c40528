// A database of the browser (IndexedDB), whose records have an `id`.

const LOST_CONNECTION_ERRORS = ["InvalidStateError", "UnknownError"];

export class IndexedDatabase {
  #name;
  #storeNames;
  #durability;
  /** @type {Promise<IDBDatabase> | null} */
  #opening = null;

  /**
   * @param {string} name
   * @param {string[]} storeNames
   * @param {IDBTransactionDurability} durability "strict": a transaction is complete when its changes are on the disk
   */
  constructor(name, storeNames, durability = "default") {
    this.#name = name;
    this.#storeNames = storeNames;
    this.#durability = durability;
  }

  /** Run `createRequest(...stores)` in a transaction on the stores of these names; return its result when it is complete. */
  async run(names, mode, createRequest) {
    try {
      return await this.#runOnce(names, mode, createRequest);
    } catch (error) {
      // The browser may have closed the database of a page that was frozen.
      if (!LOST_CONNECTION_ERRORS.includes(error?.name)) throw error;
      this.#opening = null;
      return this.#runOnce(names, mode, createRequest);
    }
  }

  async #runOnce(names, mode, createRequest) {
    const database = await this.#open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(names, mode, { durability: this.#durability });
      const request = createRequest(...names.map((name) => transaction.objectStore(name)));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  #open() {
    this.#opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(this.#name, 1);
      request.onupgradeneeded = () => {
        for (const name of this.#storeNames) request.result.createObjectStore(name, { keyPath: "id" });
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    // A device that refuses once may accept it the next time.
    this.#opening.catch(() => {
      this.#opening = null;
    });
    return this.#opening;
  }
}
