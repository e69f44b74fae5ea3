/** Most metrics and most identifiers of one request. Threads that compute load these without the schemas. */
export const MAX_METRICS = 8
export const MAX_IDENTIFIERS = 200
