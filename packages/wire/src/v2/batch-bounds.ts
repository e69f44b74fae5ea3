/**
 * Maximum number of metrics and of identifiers in one request. In a separate file, so that the compute thread need not
 * load the schemas.
 */
export const MAX_METRICS = 8
export const MAX_IDENTIFIERS = 200
