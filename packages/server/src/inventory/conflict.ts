/** A document that cannot be applied: thrown inside the transaction to undo it, then the outcome. */
export class Conflict extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}
