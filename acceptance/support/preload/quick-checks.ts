// Preloaded into the server, this makes intervals of one or two seconds twenty times shorter. The server counts the
// timeouts of HTTP and MQTT connections in them, so that 30 seconds pass in one and a half. The minute in which a request
// body has to arrive passes in three seconds.
const SPEED = 20
const SHORTENED = [1_000, 2_000]
const BODY_TIMEOUT_MS = 60_000
const realSetInterval = globalThis.setInterval

const quickSetInterval = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
  realSetInterval(callback, ms !== undefined && SHORTENED.includes(ms) ? ms / SPEED : ms, ...args)

globalThis.setInterval = Object.assign(quickSetInterval, realSetInterval)

const realSetTimeout = globalThis.setTimeout

const quickSetTimeout = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
  realSetTimeout(callback, ms === BODY_TIMEOUT_MS ? ms / SPEED : ms, ...args)

globalThis.setTimeout = Object.assign(quickSetTimeout, realSetTimeout)
