// How the parts of the panel read and change the selected field.

export class FieldEditor {
  #convert;
  #redraw;

  /**
   * @param {import("./design_store.js").DesignStore} store
   * @param {string} id
   * @param {{convert: (id: string, type: string) => void, redraw: () => void}} panel
   */
  constructor(store, id, { convert, redraw }) {
    this.store = store;
    this.id = id;
    this.#convert = convert;
    this.#redraw = redraw;
  }

  get field() {
    return this.store.get(this.id).field;
  }

  /** Set a property, or remove it if `value` is undefined. Changes with the same `merge` are one undo step. */
  setProperty(property, value, drawn = false, merge = `${this.id} ${property}`) {
    const change = ({ [property]: _, ...field }) => (value === undefined ? field : { ...field, [property]: value });
    this.store.editField(this.id, change, { merge, drawn });
  }

  convertTo(type) {
    this.#convert(this.id, type);
  }

  redraw() {
    this.#redraw();
  }
}
