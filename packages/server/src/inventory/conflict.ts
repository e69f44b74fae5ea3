/** A document that cannot be applied. `decideInventory` makes an outcome of it. */
export class Conflict extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}
