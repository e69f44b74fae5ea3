/**
 * 64-bit non-cryptographic hash for ETags: it does not resist deliberately constructed collisions. Digests of cached
 * parts can be stored and combined, so that unchanged parts need not be hashed again.
 */
export class Digest {
  /** Two independent halves. Every step is invertible, so that inputs that differ in one step give different halves. */
  a = 0x9e3779b1 | 0
  b = 0x85ebca77 | 0

  addText(text: string): this {
    let { a, b } = this
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      a = Math.imul(((a << 5) | (a >>> 27)) ^ code, 0x9e3779b1)
      b = Math.imul(((b << 13) | (b >>> 19)) ^ code, 0xc2b2ae3d)
    }
    this.a = a
    this.b = b
    return this
  }

  /** Takes a tenth of the time of hashing the number's text. As in JSON, -0 equals 0. */
  addNumber(value: number): this {
    NUMBER[0] = value + 0
    return this.addWord(WORDS[0] ?? Number.NaN).addWord(WORDS[1] ?? Number.NaN)
  }

  /** Adds a 32-bit integer. */
  addWord(word: number): this {
    return this.addPart(word, word)
  }

  addPart(a: number, b: number): this {
    this.a = Math.imul(((this.a << 5) | (this.a >>> 27)) ^ a, 0x9e3779b1)
    this.b = Math.imul(((this.b << 13) | (this.b >>> 19)) ^ b, 0xc2b2ae3d)
    return this
  }

  /** Adds stored digests; the two halves of each alternate in `parts`. */
  addParts(parts: readonly number[], from: number, to: number): this {
    let { a, b } = this
    for (let index = from; index < to; index += 2) {
      a = Math.imul(((a << 5) | (a >>> 27)) ^ (parts[index] ?? Number.NaN), 0x9e3779b1)
      b = Math.imul(((b << 13) | (b >>> 19)) ^ (parts[index + 1] ?? Number.NaN), 0xc2b2ae3d)
    }
    this.a = a
    this.b = b
    return this
  }

  toString(): string {
    return `${this.a >>> 0}-${this.b >>> 0}`
  }
}

const NUMBER = new Float64Array(1)
const WORDS = new Int32Array(NUMBER.buffer)
