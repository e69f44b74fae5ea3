import { createHash, generateKeyPairSync, randomUUID, sign, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

/** The minimum that an issuer can do: one client, a secret comparison, an ES256 signature. */
const [port = '', clientId = '', secret = ''] = process.argv.slice(2)
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = base64url({ typ: 'at+jwt', alg: 'ES256', kid: randomUUID() })
const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
const wanted = hash(secret)

createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => {
    const form = new URLSearchParams(text)
    if (
      form.get('client_id') !== clientId ||
      !timingSafeEqual(hash(form.get('client_secret') ?? ''), wanted)
    ) {
      response.writeHead(401).end()
      return
    }
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    response.end(JSON.stringify({ token_type: 'Bearer', expires_in: 3599, access_token: issue() }))
  })
}).listen(Number(port), '127.0.0.1')

function issue(): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'https://issuer.example',
    aud: `api://${clientId}`,
    sub: clientId,
    iat: now,
    nbf: now,
    exp: now + 3600,
    jti: randomUUID(),
  }
  const input = `${header}.${base64url(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}
