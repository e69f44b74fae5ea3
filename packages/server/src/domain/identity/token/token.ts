export const TOKEN_ALGORITHMS = ['ES256', 'RS256'] as const

export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number]

/** `expires_in` of the token response. */
export const EXPIRES_IN_SECONDS = 3599

/** One second longer than reported, so that no token expires earlier than its response stated. */
export const TOKEN_LIFETIME_SECONDS = 3600

export const TOKEN_LIFETIME_MS = TOKEN_LIFETIME_SECONDS * 1000

/** The claim `use` of tokens for the web console; their claim `sid` is the id of the session. */
export const CONSOLE_USE = 'console'
