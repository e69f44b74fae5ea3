import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { goodParameters, requestToken } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const { CLIENT_ID, CLIENT_SECRET, OPERATOR_CLIENT_ID } = portico.demoEnv
const good = goodParameters(CLIENT_ID, CLIENT_SECRET)
const own = good['scope'] ?? ''

const rows: [row: 'notDefaultScope' | 'notAScope' | 'otherResource', scopes: string[]][] = [
  ['notDefaultScope', ['openid', 'offline_access', `api://${CLIENT_ID}/Devices.Read`]],
  [
    'notAScope',
    [
      `${own} openid`,
      `${own} api://${OPERATOR_CLIENT_ID}/.default`,
      `api://${CLIENT_ID}"/.default`,
      `"${own}"`,
      `\\${own}`,
    ],
  ],
  ['otherResource', [`api://${randomUUID()}/.default`, `api://${OPERATOR_CLIENT_ID}/.default`]],
]

for (const [row, scopes] of rows) {
  const { status, error, code } = issuerErrors[row]
  describe(`${status} ${error} ${code}`, () => {
    for (const scope of scopes) {
      const shown = scope.replaceAll(/[0-9a-f]{8}-[-0-9a-f]{27}/g, (id) =>
        id === CLIENT_ID ? '<client_id>' : '<other uuid>',
      )
      test(`is the response to scope ${shown}`, async () => {
        assertIssuerError(await requestToken(portico, { ...good, scope }), issuerErrors[row])
      })
    }
  })
}
