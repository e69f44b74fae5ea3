import type { Figures } from './figures.ts'

/** What windows that follow each other have measured in all: `join` without an object for each window. */
export class Tally {
  #count = 0
  #sum = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY

  add(count: number, sum: number, min: number, max: number): void {
    if (count === 0) return
    this.#count += count
    this.#sum += sum
    if (min < this.#min) this.#min = min
    if (max > this.#max) this.#max = max
  }

  total(): Figures {
    return { count: this.#count, sum: this.#sum, min: this.#min, max: this.#max }
  }
}
