import { FIGURES, type Figures } from './figures.ts'

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

  /** Out of a list, `FIGURES` of each window. */
  addFrom(figures: readonly number[], from: number, to: number): void {
    let [count, sum, min, max] = [this.#count, this.#sum, this.#min, this.#max]
    for (let at = from; at < to; at += FIGURES) {
      const own = figures[at] ?? 0
      if (own === 0) continue
      count += own
      sum += figures[at + 1] ?? 0
      const [lowest, highest] = [figures[at + 2] ?? 0, figures[at + 3] ?? 0]
      if (lowest < min) min = lowest
      if (highest > max) max = highest
    }
    this.#count = count
    this.#sum = sum
    this.#min = min
    this.#max = max
  }

  total(): Figures {
    return { count: this.#count, sum: this.#sum, min: this.#min, max: this.#max }
  }
}
