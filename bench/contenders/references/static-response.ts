import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** The least that Node can do for an answer: headers and a body that are there already. */
const [port = '', file = ''] = process.argv.slice(2)
const { headers, body } = JSON.parse(readFileSync(file, 'utf8')) as {
  headers: Record<string, string>
  body: string
}

createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(port), '127.0.0.1')
