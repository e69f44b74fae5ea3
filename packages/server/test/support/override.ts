/** A port with some methods replaced. A spread would lose the non-enumerable write methods of SQLite's ports. */
export const override = <Port extends object>(port: Port, methods: Partial<Port>): Port =>
  Object.assign(Object.create(port), methods)
