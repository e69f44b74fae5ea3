/** Limits on the resources of this process that one client may use. */
export const MAX_URL_BYTES = 8 * 1024
export const MAX_HEADER_BYTES = 16 * 1024
export const MAX_TOKEN_BODY_BYTES = 16 * 1024
export const MAX_BODY_BYTES = 64 * 1024
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024
export const MAX_INVENTORY_BYTES = 32 * 1024 * 1024

/** Time for all headers to arrive; the next constant is the time for the whole request. */
export const HEADERS_TIMEOUT_MS = 10_000
export const REQUEST_TIMEOUT_MS = 60_000
/**
 * How long a connection may be idle. Longer than the idle timeout of common load balancers (60 s), so that the load
 * balancer closes the connection first.
 */
export const KEEP_ALIVE_SECONDS = 65
export const TLS_HANDSHAKE_TIMEOUT_MS = 10_000
export const MAX_CONNECTIONS = 10_000

/**
 * Pipelined requests that wait for the responses before them, per connection and per process. Each takes about 4 KB. A
 * connection that exceeds either bound is closed.
 */
export const MAX_PIPELINED_REQUESTS = 100
export const MAX_PIPELINED_REQUESTS_IN_TOTAL = 10_000

/**
 * How often connections are checked. The times below are counted in checks, so that a delayed check does not shorten
 * them.
 */
export const CHECK_INTERVAL_MS = 1_000
/** Period in which at least the number of bytes below must be sent of a response, or received of a request body. */
export const STALL_CHECKS = 30
export const MIN_SENT_BYTES = 16 * 1024
/** Small, because readings may be uploaded as a slow stream. */
export const MIN_RECEIVED_BYTES = 1024
/**
 * Time for the client to read a response that was sent before its request was complete, or before the connection was
 * closed.
 */
export const LINGER_CHECKS = 3

/** Response bytes that one partner's connections have not read yet, in one process. Beyond it, its requests get 429. */
export const MAX_UNREAD_BYTES_PER_PARTNER = 64 * 1024 * 1024
