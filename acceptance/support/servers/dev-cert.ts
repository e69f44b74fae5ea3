import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { asObject, asString, parseJson } from '../json.ts'
import { runPortico } from './portico.ts'

export interface CertificateFiles {
  caFile: string
  certFile: string
  keyFile: string
}

/** Runs `portico dev-cert`; this process then trusts the certificate authority it created. */
export async function makeDevCert(dataDir: string, flags: string[] = []): Promise<CertificateFiles> {
  const { code, stdout, stderr } = await runPortico(['dev-cert', '--json', ...flags], { dataDir })
  assert.equal(code, 0, stderr)
  const files = asObject(parseJson(stdout))
  const caFile = asString(files['caFile'])
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(caFile, 'utf8')])
  return { caFile, certFile: asString(files['certFile']), keyFile: asString(files['keyFile']) }
}
