import type { HttpRequest } from './saturate.ts'
import { type Credentials, tokenForm, TOKEN_PATH } from './installation.ts'
import { withConcurrency } from './load.ts'
import type { Dataset } from './dataset.ts'

export const tokenRequest = (path: string, credentials: Credentials): HttpRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: tokenForm(credentials).toString(),
})

/** A token request by each of many new clients, because one client gets 30 tokens a minute. */
export async function manyClients(
  { installation, residence }: Dataset,
  count: number,
): Promise<HttpRequest[]> {
  const requests: HttpRequest[] = []
  await withConcurrency(16, count, async () => {
    requests.push(tokenRequest(TOKEN_PATH, await installation.addPartner(residence.siteUuid)))
  })
  return requests
}
