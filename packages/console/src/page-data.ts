import type { Account } from '@portico/sdk'

/** The partner that is signed in, with its roles. */
export interface Session {
  roles: readonly string[]
  partner: { partnerUuid: string; name: string; clientId: string }
}

export interface TokenResponse extends Session {
  accessToken: string
  expiresIn: number
}

/** The data that the server puts into the page, so that the first view need not request it. */
export interface PageData {
  session: TokenResponse
  account: Account | null
}

/** Reads the data once and removes it: from then on, the token is in memory only. */
function takePageData(): PageData | undefined {
  const element = document.querySelector('#page-data')
  if (!element) return undefined
  element.remove()
  return JSON.parse(element.textContent) as PageData
}

export const pageData = takePageData()
