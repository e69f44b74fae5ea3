/**
 * A map that forgets: of at most `max` entries it has the half that was used last for sure. The entries are in two maps, and when the
 * younger is full the older is dropped whole: an order kept entry by entry costs more than most of what is looked up.
 */
export class BoundedMap<K, V> {
  readonly #half: number
  #young = new Map<K, V>()
  #old = new Map<K, V>()

  constructor(max: number) {
    this.#half = Math.ceil(max / 2)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: K, value: V): void {
    this.#old.delete(key)
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: K): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
