/** Smooth noise between -1 and 1, deterministic for a position. */
export function smoothNoise(position: number): number {
  const index = Math.floor(position)
  const part = position - index
  const ease = part * part * (3 - 2 * part)
  return hash(index) * (1 - ease) + hash(index + 1) * ease
}

function hash(index: number): number {
  const x = Math.sin(index * 127.1) * 43_758.5453
  return 2 * (x - Math.floor(x)) - 1
}
