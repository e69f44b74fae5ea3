import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Flood } from './flood.ts'
import { atFixedRate } from './load.ts'

const { url, requests, perSecond, seconds, connections } = workerData as Flood
const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' })
let answered = 0
const startedAt = performance.now()
await atFixedRate(perSecond, perSecond * seconds, (index) => send(index))
agent.destroy()
parentPort?.postMessage(answered / ((performance.now() - startedAt) / 1_000))

function send(index: number): Promise<void> {
  const sent = requests[index % requests.length]
  if (!sent) throw new Error('There is nothing to send.')
  const { method, path, headers, body } = sent
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers, agent }, (response) => {
      response.resume().on('end', () => {
        answered += 1
        resolve()
      })
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}
