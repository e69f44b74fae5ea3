import type { PageRoute } from '../route.ts'

/** The pages of the half for operators. */
export const OPERATOR_PAGES: readonly PageRoute[] = []
