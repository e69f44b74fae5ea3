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
export const TLS_HANDSHAKE_TIMEOUT_MS = 10_000
export const MAX_CONNECTIONS = 10_000

/**
 * Requests that wait for the responses before them, on one connection and on all connections of the process. Each takes some
 * 4 KB. A connection that exceeds either bound is closed.
 */
export const MAX_PIPELINED_REQUESTS = 100
export const MAX_PIPELINED_REQUESTS_IN_TOTAL = 10_000

/** Connections are checked this often. The times below are counted in checks: a check that is late costs no client its time. */
export const CHECK_INTERVAL_MS = 1_000
/** The time in which a response must drain, or a body arrive, by at least the bytes below. */
export const STALL_CHECKS = 30
export const MIN_SENT_BYTES = 16 * 1024
/** Small, because a delivery of readings may be a slow stream. */
export const MIN_RECEIVED_BYTES = 1024
/** For the client to read a response that came before the end of its request, or before the server closed the connection. */
export const LINGER_CHECKS = 3

/** Response bytes that one partner's connections have not read yet, in one process. Beyond it, its requests get 429. */
export const MAX_UNREAD_BYTES_PER_PARTNER = 64 * 1024 * 1024
