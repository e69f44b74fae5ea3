/** A port with some methods replaced. Spreading it instead would lose the writes of SQLite's ports, which cannot be enumerated. */
export const override = <Port extends object>(port: Port, methods: Partial<Port>): Port =>
  Object.assign(Object.create(port), methods)
