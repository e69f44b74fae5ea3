import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  base64url,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose'
import { asArray, asObject } from '../support/json.ts'
import { assertUnauthorized } from '../support/oracles/problem.ts'
import { api, demoToken } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const token = await demoToken(portico)
const [header = '', payload = '', signature = ''] = token.split('.')
const claims = decodeJwt(token)
const genuine = decodeProtectedHeader(token) as JWTHeaderParameters
const foreign = await generateKeyPair('ES256')
const foreignJwk = await exportJWK(foreign.publicKey)
const keySet = await api(portico, '/auth/discovery/v2.0/keys')
const published = asObject(asArray(keySet.json['keys'])[0])

const encode = (value: unknown): string => base64url.encode(JSON.stringify(value))
const signedByUnknownKey = (extra: Record<string, unknown> = {}): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ ...genuine, ...extra }).sign(foreign.privateKey)

async function assertRefused(forged: string): Promise<void> {
  assertUnauthorized(portico, await api(portico, '/v2/sites', { token: forged }), 'TokenInvalid')
}

test('the genuine token of this file is accepted', async () => {
  assert.equal((await api(portico, '/v2/sites', { token })).status, 200)
})

describe('a token signed by an unknown key is TokenInvalid', () => {
  const cases: Record<string, Record<string, unknown>> = {
    'with the kid of the right key': {},
    'with an unknown kid': { kid: 'unknown' },
    'without a kid': { kid: undefined },
    'with its own key embedded as jwk': { jwk: foreignJwk },
    'with a jku to its own key set': { jku: `${portico.url}/errors/not-found` },
    'with a kid that climbs out of a folder': { kid: '../../../../dev/null' },
    'with a kid that is SQL': { kid: "x' UNION SELECT 'k" },
    'with a kid of 4 kB': { kid: 'k'.repeat(4_096) },
    'with a kid named like a member of every object': { kid: '__proto__' },
    'with typ JWT': { typ: 'JWT' },
  }
  for (const [name, extra] of Object.entries(cases)) {
    test(name, async () => assertRefused(await signedByUnknownKey(extra)))
  }
})

describe('an algorithm other than the configured one is TokenInvalid', () => {
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
    test(`alg "${alg}" without and with a signature`, async () => {
      const head = encode({ ...genuine, alg })
      await assertRefused(`${head}.${payload}.`)
      await assertRefused(`${head}.${payload}.${signature}`)
    })
  }

  test('HS256 with the public key as the shared secret', async () => {
    const key = await importJWK(published as JWK, 'ES256', { extractable: true })
    const pem = await exportSPKI(key as CryptoKey)
    const forms = [
      pem,
      pem.trim(),
      Buffer.from(pem.replaceAll(/-----.*-----|\s/g, ''), 'base64'),
      JSON.stringify(published),
      String(published['x']),
      base64url.decode(String(published['x'])),
    ]
    for (const form of forms) {
      const secret = Buffer.from(form)
      await assertRefused(
        await new SignJWT(claims).setProtectedHeader({ ...genuine, alg: 'HS256' }).sign(secret),
      )
    }
  })

  test('RS256, ES384 and EdDSA with unknown keys', async () => {
    for (const alg of ['RS256', 'ES384', 'EdDSA']) {
      const { privateKey } = await generateKeyPair(alg)
      await assertRefused(await new SignJWT(claims).setProtectedHeader({ ...genuine, alg }).sign(privateKey))
    }
  })

  test('a header without alg, or that is not an object', async () => {
    for (const head of [{ typ: 'at+jwt', kid: genuine.kid }, [], 'x', null, 1]) {
      await assertRefused(`${encode(head)}.${payload}.${signature}`)
    }
  })
})

describe('a modified token is TokenInvalid', () => {
  for (const [index, part] of ['header', 'payload', 'signature'].entries()) {
    test(`with any bit of its ${part} flipped`, async () => {
      const segments = [header, payload, signature]
      const bytes = base64url.decode(segments[index] ?? '')
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (position, bit) => {
          const flipped = Uint8Array.from(bytes, (byte, at) => (at === position ? byte ^ (1 << bit) : byte))
          await assertRefused(segments.with(index, base64url.encode(flipped)).join('.'))
        }),
        { numRuns: 100 },
      )
    })
  }

  test('with a changed claim under the original signature', async () => {
    for (const change of [
      { roles: ['Operator'] },
      { azp: portico.demoEnv.OPERATOR_CLIENT_ID },
      { exp: 9e9 },
    ]) {
      await assertRefused(`${header}.${encode({ ...claims, ...change })}.${signature}`)
    }
  })

  test('truncated at any position', async () => {
    const cut = fc.integer({ min: 1, max: token.length - 1 })
    await fc.assert(
      fc.asyncProperty(cut, (length) => assertRefused(token.slice(0, length))),
      { numRuns: 50 },
    )
  })

  test('with one segment too many or too few', async () => {
    await assertRefused(`${token}.${signature}`)
    await assertRefused(`${token}.`)
    await assertRefused(`.${token}`)
    await assertRefused(`${header}.${payload}`)
    await assertRefused(`${header}..${signature}`)
  })

  test('with a signature of all zeros or all ones', async () => {
    await assertRefused(`${header}.${payload}.${base64url.encode(new Uint8Array(64))}`)
    await assertRefused(`${header}.${payload}.${base64url.encode(new Uint8Array(64).fill(255))}`)
    await assertRefused(`${header}.${payload}.`)
  })

  test('with the signature of another token', async () => {
    const [, , other] = (await demoToken(portico)).split('.')
    await assertRefused(`${header}.${payload}.${other}`)
  })
})

test('a genuine token is still accepted after all those forgeries', async () => {
  assert.equal((await api(portico, '/v2/sites', { token })).status, 200)
})
