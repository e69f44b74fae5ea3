import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes, webcrypto } from 'node:crypto'
// @peculiar/x509 needs this polyfill, which must be imported first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000
const CA_DAYS = 3650
/** The longest validity that current browsers accept. */
const CERT_DAYS = 397

interface Authority {
  certificate: x509.X509Certificate
  signingKey: webcrypto.CryptoKey
}

const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const toPem = async (key: webcrypto.CryptoKey): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')

const serial = (): string => randomBytes(16).toString('hex').replace(/^./, '1')

/**
 * Creates a certificate for localhost, signed by an authority that is created once and stored beside it. For trying
 * https, not for production.
 */
export async function makeDevCertificate(files: {
  caFile: string
  caKeyFile: string
}): Promise<{ cert: string; key: string }> {
  x509.cryptoProvider.set(webcrypto)
  const authority = await loadOrMakeAuthority(files)
  const keys = await newKeys()
  const now = Date.now()
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: 'CN=localhost',
    issuer: authority.certificate.subject,
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + CERT_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: authority.signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
    ],
  })
  return { cert: certificate.toString('pem'), key: await toPem(keys.privateKey) }
}

async function loadOrMakeAuthority({
  caFile,
  caKeyFile,
}: {
  caFile: string
  caKeyFile: string
}): Promise<Authority> {
  if (existsSync(caFile) && existsSync(caKeyFile)) {
    const [pkcs8] = x509.PemConverter.decode(readFileSync(caKeyFile, 'utf8'))
    if (!pkcs8) throw new Error(`${caKeyFile} holds no key`)
    return {
      certificate: new x509.X509Certificate(readFileSync(caFile, 'utf8')),
      signingKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']),
    }
  }
  const keys = await newKeys()
  const now = Date.now()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: 'CN=Portico development authority',
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + CA_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  writeFileSync(caKeyFile, await toPem(keys.privateKey), { mode: 0o600 })
  writeFileSync(caFile, certificate.toString('pem'))
  return { certificate, signingKey: keys.privateKey }
}
