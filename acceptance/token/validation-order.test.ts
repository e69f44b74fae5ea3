import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { basic, goodParameters, requestToken, without } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const { CLIENT_ID, CLIENT_SECRET } = portico.demoEnv

interface Draft {
  method: string
  /** Names may repeat, hence pairs. */
  params: [string, string][]
  /** Appended to the form unchanged. */
  tail: string
}

interface Defect {
  error: (typeof issuerErrors)[keyof typeof issuerErrors]
  /** The parameter that the description must name. */
  names?: string
  apply(draft: Draft): void
}

const set = (draft: Draft, name: string, value: string): void => {
  draft.params = draft.params.map((pair) => (pair[0] === name ? [name, value] : pair))
}
const drop = (draft: Draft, name: string): void => {
  draft.params = draft.params.filter((pair) => pair[0] !== name)
}

// In validation order: of several defects, the first in this list determines the error.
const defects: Record<string, Defect> = {
  method: { error: issuerErrors.notPost, apply: (draft) => (draft.method = 'PUT') },
  body: { error: issuerErrors.unusable, apply: (draft) => (draft.tail = '&x=%zz') },
  repeated: {
    error: issuerErrors.unusable,
    apply: (draft) => draft.params.push(['scope', 'openid'], ['scope', 'openid']),
  },
  noGrantType: {
    error: issuerErrors.missingParameter,
    names: 'grant_type',
    apply: (draft) => drop(draft, 'grant_type'),
  },
  otherGrantType: {
    error: issuerErrors.unsupportedGrant,
    apply: (draft) => set(draft, 'grant_type', 'password'),
  },
  noSecret: { error: issuerErrors.noSecret, apply: (draft) => drop(draft, 'client_secret') },
  noClientId: {
    error: issuerErrors.missingParameter,
    names: 'client_id',
    apply: (draft) => drop(draft, 'client_id'),
  },
  noScope: { error: issuerErrors.missingParameter, names: 'scope', apply: (draft) => drop(draft, 'scope') },
  unknownClient: {
    error: issuerErrors.unknownClient,
    apply: (draft) => set(draft, 'client_id', randomUUID()),
  },
  wrongSecret: { error: issuerErrors.wrongSecret, apply: (draft) => set(draft, 'client_secret', 'wrong') },
  otherScope: { error: issuerErrors.notDefaultScope, apply: (draft) => set(draft, 'scope', 'openid') },
}
const names = Object.keys(defects)

async function assertFirstDefect(drawn: string[], inHeader: boolean): Promise<void> {
  const draft: Draft = {
    method: 'POST',
    params: Object.entries(goodParameters(CLIENT_ID, CLIENT_SECRET)),
    tail: '',
  }
  // Applied from last to first, so that no defect removes an earlier one.
  for (const name of drawn.toReversed()) defects[name]?.apply(draft)
  const params = new Map(draft.params)
  const [id, secret] = [params.get('client_id'), params.get('client_secret')]
  const usesHeader = inHeader && id !== undefined && secret !== undefined
  const sent = usesHeader
    ? draft.params.filter(([name]) => name !== 'client_id' && name !== 'client_secret')
    : draft.params
  const answer = await requestToken(portico, undefined, {
    method: draft.method,
    rawBody: new URLSearchParams(sent).toString() + draft.tail,
    headers: usesHeader ? { authorization: basic(id, secret) } : {},
  })

  const first = defects[names.find((name) => drawn.includes(name)) ?? '']
  if (!first) {
    assert.equal(answer.status, 200, answer.text)
    return
  }
  const body = assertIssuerError(answer, first.error)
  if (first.names) assert.ok(String(body['error_description']).includes(first.names), answer.text)
  if (answer.status === 401) assert.equal(answer.headers.has('www-authenticate'), usesHeader)
}

test('of several defects, the first in validation order determines the error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(names), fc.boolean(), (drawn, inHeader) =>
      assertFirstDefect(drawn, inHeader),
    ),
    // Checked first: no defect at all, and every pair of neighbours.
    { numRuns: 300, examples: [[[], false], [[], true], ...neighbours()] },
  )
})

function neighbours(): [string[], boolean][] {
  return names.slice(1).map((name, index) => [[names[index] ?? '', name], index % 2 === 0])
}

test('a missing parameter takes precedence over an invalid value of a later one', async () => {
  const params = goodParameters(randomUUID(), 'wrong')
  const answer = await requestToken(portico, without(params, 'scope'))
  assertIssuerError(answer, issuerErrors.missingParameter)
})
