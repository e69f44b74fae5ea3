import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { makeDevCert } from '../support/servers/dev-cert.ts'
import { makeTempDir, startPortico } from '../support/servers/portico.ts'
import { goodParameters, send } from '../support/clients/requests.ts'

const dataDir = await makeTempDir()
after(() => rm(dataDir, { recursive: true, force: true }))

test('dev-cert creates a certificate for localhost with which the server serves HTTPS', async () => {
  const { certFile, keyFile } = await makeDevCert(dataDir)
  const certificate = new X509Certificate(readFileSync(certFile))
  assert.ok(certificate.checkHost('localhost') !== undefined)
  assert.ok(certificate.checkIP('127.0.0.1') !== undefined)
  assert.ok(certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile))))
  assert.equal(statSync(keyFile).mode & 0o077, 0, 'the key is for its owner alone')

  await using portico = await startPortico({ tls: { cert: certFile, key: keyFile } })
  const { AUTH_URL, CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
  assert.ok(AUTH_URL.startsWith('https://'), AUTH_URL)
  const answer = await send(`${AUTH_URL}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams(goodParameters(CLIENT_ID, CLIENT_SECRET)),
  })
  assert.equal(answer.status, 200, answer.text)
})
