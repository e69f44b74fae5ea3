import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'

const dataDir = await makeTempDir()
after(() => rm(dataDir, { recursive: true, force: true }))
const missing = join(dataDir, 'missing.pem')

// The error line must name this, so that the reader finds the setting.
const wrongFlags: [name: string, args: string[], names: RegExp][] = [
  ['a port that is not a number', ['--port', 'abc'], /port/i],
  ['a port out of range', ['--port', '65536'], /port/i],
  ['a negative port', ['--port=-1'], /port/i],
  ['a port with text behind it', ['--port', '8080x'], /port/i],
  ['a public address that is not a URL', ['--public-url', 'nonsense'], /public.url/i],
  ['a public address of another scheme', ['--public-url', 'ftp://example.test'], /public.url/i],
  ['a public address with a query', ['--public-url', 'http://example.test/?a=b'], /public.url/i],
  ['a tenant with a slash', ['--tenant', 'a/b'], /tenant/i],
  ['an empty tenant', ['--tenant', ''], /tenant/i],
  ...['v2', 'console', 'docs', 'clients', 'changelog', 'deprecations'].map(
    (path): (typeof wrongFlags)[number] => [`a tenant with the path /${path}`, ['--tenant', path], /tenant/i],
  ),
  ['a tenant that climbs up', ['--tenant', '..'], /tenant/i],
  ['an unknown flag', ['--colour', 'blue'], /colour/],
  ['a rate limit that is neither on nor off', ['--rate-limit', 'maybe'], /rate.limit/i],
  ['a TLS certificate that is not there', ['--tls-cert', missing, '--tls-key', missing], /tls|missing\.pem/i],
  ['a TLS certificate without a key', ['--tls-cert', missing], /tls/i],
  ['an unknown kind of database', ['--database', 'mongodb://localhost/x'], /database/i],
]

const wrongVariables: [variable: string, value: string][] = [
  ['PORT', 'abc'],
  ['PUBLIC_URL', 'nonsense'],
  ['TENANT', 'a/b'],
  ['RATE_LIMIT', 'maybe'],
  ['LOG_LEVEL', 'shouting'],
  ['METRICS_PORT', 'nowhere'],
  ['OUTSIDE_ISSUER_JWKS', 'http://issuer.example.test/keys'],
  ['OUTSIDE_ISSUER_JWKS', 'http://127.0.0.1.example.test/keys'],
  ['OUTSIDE_ISSUER_JWKS', 'http://192.0.2.1/keys'],
]

/** Settings without which a key set is rejected whatever its address. */
const issuer = { OUTSIDE_ISSUER: 'https://issuer.example.test', OUTSIDE_ISSUER_AUDIENCE: 'portico' }

function assertOneClearLine(stderr: string, names: RegExp): void {
  const lines = stderr.trimEnd().split('\n')
  assert.equal(lines.length, 1, stderr)
  assert.match(lines[0] ?? '', names)
}

describe('portico serve exits with code 2 and one line on standard error', () => {
  for (const [name, args, names] of wrongFlags) {
    test(name, async () => {
      const port = args.some((arg) => arg.startsWith('--port')) ? [] : ['--port', '0']
      const result = await runPortico(['serve', ...port, ...args], { dataDir })
      assert.equal(result.code, 2, result.stderr)
      assertOneClearLine(result.stderr, names)
    })
  }

  for (const [variable, value] of wrongVariables) {
    test(`${variable}=${value} in the environment`, async () => {
      const port = variable === 'PORT' ? [] : ['--port', '0']
      const result = await runPortico(['serve', ...port], {
        dataDir,
        env: { ...(variable === 'OUTSIDE_ISSUER_JWKS' ? issuer : {}), [variable]: value },
      })
      assert.equal(result.code, 2, result.stderr)
      assertOneClearLine(result.stderr, new RegExp(variable.replace('_', '.'), 'i'))
    })
  }
})
