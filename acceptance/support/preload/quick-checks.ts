// Preloaded into the server, this makes intervals of one second twenty times shorter. The server counts connection timeouts
// in such intervals, so that 30 seconds pass in one and a half.
const SPEED = 20
const realSetInterval = globalThis.setInterval

const quickSetInterval = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
  realSetInterval(callback, ms === 1_000 ? ms / SPEED : ms, ...args)

globalThis.setInterval = Object.assign(quickSetInterval, realSetInterval)
