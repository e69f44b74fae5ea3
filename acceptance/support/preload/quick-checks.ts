// Preloaded into the server, this makes one-second intervals twenty times shorter. The server counts connection
// timeouts in them, so that 30 seconds pass in one and a half.
const SPEED = 20
const realSetInterval = globalThis.setInterval

const quickSetInterval = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
  realSetInterval(callback, ms === 1_000 ? ms / SPEED : ms, ...args)

globalThis.setInterval = Object.assign(quickSetInterval, realSetInterval)
