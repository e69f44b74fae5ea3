export const TOKEN_ALGORITHMS = ['ES256', 'RS256'] as const

export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number]
