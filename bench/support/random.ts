/** Deterministic pseudorandom integers, from 0 to below `end`. */
export function createRandom(): (end: number) => number {
  let state = 20_260_101
  return (end) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * end)
  }
}
