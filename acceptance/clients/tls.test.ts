import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { type CertificateFiles, makeDevCert } from '../support/servers/dev-cert.ts'
import { eventually } from '../support/eventually.ts'
import { makeTempDir, type Portico, startPortico } from '../support/servers/portico.ts'

describe('the certificate in use', () => {
  let folder: string
  let files: CertificateFiles
  let portico: Portico
  before(async () => {
    folder = await makeTempDir()
    files = await makeDevCert(join(folder, 'in-service'))
    portico = await startPortico({ demo: false, tls: { cert: files.certFile, key: files.keyFile } })
  })
  after(async () => {
    await portico.stop()
    await rm(folder, { recursive: true })
  })

  test('is the one configured at startup, and it chains to the local authority', async () => {
    assert.equal(await servedSerial(portico.url, files.caFile), await serialIn(files.certFile))
  })

  test('changes for new connections when the files are renewed, without a restart', async () => {
    const old = await serialIn(files.certFile)
    assert.deepEqual(await makeDevCert(join(folder, 'in-service'), ['--force']), files)
    const renewed = await serialIn(files.certFile)
    assert.notEqual(renewed, old)
    await eventually(async () => {
      assert.equal(await servedSerial(portico.url, files.caFile), renewed)
    })
  })

  test('does not change while the files are incomplete or do not match, and changes once they do', async () => {
    const old = await serialIn(files.certFile)
    const oldAuthority = join(folder, 'old-authority.pem')
    await copyFile(files.caFile, oldAuthority)
    const next = await makeDevCert(join(folder, 'next'))
    const certificate = await readFile(next.certFile, 'utf8')

    await writeFile(files.certFile, certificate.slice(0, certificate.length / 2))
    await assertStays(portico.url, oldAuthority, old)
    await writeFile(files.certFile, certificate)
    await assertStays(portico.url, oldAuthority, old)
    await copyFile(next.keyFile, files.keyFile)
    await eventually(async () => {
      assert.equal(await servedSerial(portico.url, next.caFile), await serialIn(next.certFile))
    })
  })
})

/** Long enough for a server that watches its files to have checked them. A correct server passes however slow it is. */
async function assertStays(url: string, caFile: string, serial: string) {
  for (let look = 0; look < 25; look++) {
    assert.equal(await servedSerial(url, caFile), serial)
    await sleep(100)
  }
}

/** Serial number of the certificate presented on a new connection; fails unless the authority signed it. */
async function servedSerial(url: string, caFile: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({
    host: hostname,
    port: Number(port),
    servername: 'localhost',
    ca: await readFile(caFile),
  })
  await once(socket, 'secureConnect')
  const { serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return serialNumber
}

async function serialIn(certFile: string): Promise<string> {
  return new X509Certificate(await readFile(certFile)).serialNumber
}
