/** Thrown inside a write to undo it; becomes the outcome. */
export class Conflict extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}
