import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** The minimum that Node can do per request: precomputed headers and body. */
const [port = '', file = ''] = process.argv.slice(2)
const { headers, body } = JSON.parse(readFileSync(file, 'utf8')) as {
  headers: Record<string, string>
  body: string
}

createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(port), '127.0.0.1')
