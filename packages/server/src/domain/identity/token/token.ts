export const TOKEN_ALGORITHMS = ['ES256', 'RS256'] as const

export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number]

/** What the token response reports. */
export const EXPIRES_IN_SECONDS = 3599

/** One second more than reported, so that no token dies before its caller was told it would. */
export const TOKEN_LIFETIME_SECONDS = 3600

export const TOKEN_LIFETIME_MS = TOKEN_LIFETIME_SECONDS * 1000
