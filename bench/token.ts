import { type Benchmark, atLeast } from './benchmark.ts'
import type { HttpRequest } from './support/saturate.ts'
import { tokenForm, TOKEN_PATH } from './support/installation.ts'
import { startReference } from './support/reference.ts'
import { toRatio } from './support/ratio.ts'
import { runInterleaved, roundsFor } from './support/rounds.ts'
import { formatMeasurement, formatRatio } from './support/format.ts'

export const token: Benchmark = {
  name: 'token',
  about:
    'Requests for a token with client credentials; each token is new and signed with ES256. Ratios are of tokens per second of the server’s processor time.',
  async run({ isSmoke, year }) {
    const { installation, partner } = await year.get()
    const { clientId, clientSecret } = partner
    const form = tokenForm(partner)
    const ask = (path: string, body: URLSearchParams): HttpRequest[] => [
      {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: body.toString(),
      },
    ]
    // Its scopes are configured names: none is requested.
    const withoutScope = new URLSearchParams([...form].filter(([name]) => name !== 'scope'))
    const bare = await startReference('token', clientId, clientSecret)
    const provider = await startReference('oidc-provider', clientId, clientSecret)
    try {
      const performed = await runInterleaved(
        {
          portico: { ...installation, requests: ask(TOKEN_PATH, form) },
          bare: { ...bare, requests: ask('/token', form) },
          provider: { ...provider, requests: ask('/token', withoutScope) },
        },
        roundsFor(isSmoke),
      )
      const { portico, bare: least, provider: peer } = performed
      const overPeer = toRatio(portico.perCpuSecond, peer.perCpuSecond)
      const overLeast = toRatio(portico.perCpuSecond, least.perCpuSecond)
      return [
        {
          label: 'tokens, over oidc-provider',
          value: formatRatio(overPeer),
          ...atLeast(2.5, overPeer.value),
          detail: `Portico ${formatMeasurement(portico)}; oidc-provider ${formatMeasurement(peer)}`,
        },
        {
          label: 'tokens, over a plain node:http server that compares the secret and signs',
          value: formatRatio(overLeast),
          ...atLeast(0.8, overLeast.value),
          detail: `the handler ${formatMeasurement(least)}`,
        },
      ]
    } finally {
      await bare.stop()
      await provider.stop()
    }
  },
}
