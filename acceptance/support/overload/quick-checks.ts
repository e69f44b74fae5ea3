// Loaded into the server before anything else, this makes intervals of a second twenty times shorter. The server counts the
// time that a connection has in such intervals: 30 seconds pass in one and a half.
const SPEED = 20
const realSetInterval = globalThis.setInterval

const quickSetInterval = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
  realSetInterval(callback, ms === 1_000 ? ms / SPEED : ms, ...args)

globalThis.setInterval = Object.assign(quickSetInterval, realSetInterval)
