import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createContext, runInContext } from 'node:vm'
import { createHttpServer } from '../../src/http/pipeline/server.ts'

/**
 * Prints whether requests and responses have fast properties after garbage was collected among the first few of them.
 */
const [first = '0'] = process.argv.slice(2)

const context = createContext({})
const hasLayout = runInContext('(object) => %HasFastProperties(object)', context) as (
  object: object,
) => boolean
const collect = runInContext('gc', context) as () => void

let last: { request: boolean; response: boolean } | undefined
const answer = (request: object, response: { end(text: string): void }): void => {
  response.end('x')
  last = { request: hasLayout(request), response: hasLayout(response) }
}
const server = createHttpServer(answer, {
  tls: undefined,
  publicUrl: '',
  trustProxy: false,
  connectionsPerAddress: 100,
  reportClosed: () => {},
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

const ask = async (times: number): Promise<void> => {
  for (let done = 0; done < times; done += 1)
    await new Promise((resolve) =>
      get({ port, host: '127.0.0.1', agent: false }, (got) => got.resume().on('end', resolve)),
    )
}

await ask(Number(first))
for (let done = 0; done < 5; done += 1) {
  collect()
  await new Promise((resolve) => setTimeout(resolve, 10))
}
await ask(30)
console.log(JSON.stringify(last))
process.exit()
