import { type Benchmark, atLeast } from './benchmark.ts'
import type { Sent } from './support/full-load.ts'
import { tokenForm, TOKEN_PATH } from './support/installation.ts'
import { startReference } from './support/reference.ts'
import { inRounds, ratioOf, roundsFor } from './support/rounds.ts'
import { load, shown } from './support/show.ts'

export const token: Benchmark = {
  name: 'token',
  about:
    'POST of client credentials for a token signed with ES256, a new one each time. The ratio is of tokens for a second of the server’s processor time.',
  async run({ isSmoke, year }) {
    const { installation, partner } = await year.get()
    const { clientId, clientSecret } = partner
    const form = tokenForm(partner)
    const ask = (path: string, body: URLSearchParams): Sent[] => [
      {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: body.toString(),
      },
    ]
    // Its scopes are names that it was configured with: none is asked for.
    const withoutScope = new URLSearchParams([...form].filter(([name]) => name !== 'scope'))
    const bare = await startReference('token', clientId, clientSecret)
    const provider = await startReference('oidc-provider', clientId, clientSecret)
    try {
      const performed = await inRounds(
        {
          portico: { ...installation, requests: ask(TOKEN_PATH, form) },
          bare: { ...bare, requests: ask('/token', form) },
          provider: { ...provider, requests: ask('/token', withoutScope) },
        },
        roundsFor(isSmoke),
      )
      const { portico, bare: least, provider: peer } = performed
      const overPeer = ratioOf(portico.perCpuSecond, peer.perCpuSecond)
      const overLeast = ratioOf(portico.perCpuSecond, least.perCpuSecond)
      return [
        {
          what: 'tokens, over oidc-provider',
          figure: shown(overPeer),
          ...atLeast(2.5, overPeer.value),
          detail: `Portico ${load(portico)}; oidc-provider ${load(peer)}`,
        },
        {
          what: 'tokens, over a bare node:http handler that compares and signs',
          figure: shown(overLeast),
          ...atLeast(0.8, overLeast.value),
          detail: `the handler ${load(least)}`,
        },
      ]
    } finally {
      await bare.stop()
      await provider.stop()
    }
  },
}
