import type { PageRoute } from '../route.ts'

/** The pages of the half for partners. */
export const PARTNER_PAGES: readonly PageRoute[] = []
