/** Deterministic pseudo-random numbers: the same seed and index always give the same number. */

/** 32 well-mixed bits. */
export function hash(seed: number, index: number): number {
  let bits = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 0x632be5ab, 0xc2b2ae35)
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d)
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39)
  return (bits ^ (bits >>> 15)) >>> 0
}

/** Uniform in [0, 1). */
export const uniform = (seed: number, index: number): number => hash(seed, index) / 4_294_967_296

/** Smooth noise from -1 to 1: an independent value at each integer `x`, interpolated in between. */
export function drift(seed: number, x: number): number {
  const step = Math.floor(x)
  const share = x - step
  const eased = share * share * (3 - 2 * share)
  const from = uniform(seed, step)
  return 2 * (from + (uniform(seed, step + 1) - from) * eased) - 1
}

/** A seed from a name or a UUID. */
export function toSeed(text: string): number {
  let bits = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  }
  return bits >>> 0
}
