/** Set on purpose, in one place: what one caller may take of this process. */
export const MAX_URL_BYTES = 8 * 1024
export const MAX_HEADER_BYTES = 16 * 1024
export const MAX_TOKEN_BODY_BYTES = 16 * 1024
export const MAX_BODY_BYTES = 64 * 1024
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024
export const MAX_INVENTORY_BYTES = 32 * 1024 * 1024

/** All headers must arrive within this, the whole request within the next. */
export const HEADERS_TIMEOUT_MS = 10_000
export const REQUEST_TIMEOUT_MS = 60_000
/** Longer than the 60 seconds after which common load balancers close, so that they, not we, close first. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000
export const MAX_CONNECTIONS = 10_000
