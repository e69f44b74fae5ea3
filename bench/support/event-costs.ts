import { randomUUID } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { NewEvent } from '@portico/server/domain/event/event'
import { openSqliteStore } from '@portico/server/store/sqlite/store'
import { atMost, cost, type Row, times } from '../benchmark.ts'
import { type ControlledSite, startControlledSite } from './controlled-site.ts'
import { atFixedRate, quantile, withConcurrency } from './load.ts'
import { readCpuSeconds, readResidentMb, untilIdle } from './usage.ts'
import { withTempFolder } from './temp-folder.ts'

/** A command passes through PENDING, SENT, DELIVERED and CONFIRMED. */
const EVENTS_A_COMMAND = 4
const STREAMS_A_PARTNER = 5
const READS_A_SECOND = 100

/** The cost of events to a server, measured from outside. */
export const measureEventCosts = (isSmoke: boolean): Promise<Row[]> =>
  withTempFolder(async (folder) => {
    const site = await startControlledSite(folder, 100)
    try {
      return [
        await costOfCommand(site, isSmoke ? 20 : 500),
        await readsDuringBacklog(
          site,
          isSmoke ? { commands: 20, seconds: 1 } : { commands: 1_000, seconds: 10 },
        ),
        await memoryOfStreams(site, isSmoke ? 10 : 500),
      ]
    } finally {
      await site.stop()
    }
  })

/** Processor time of the server for a command up to its confirmation, with and without the share of its events. */
async function costOfCommand(site: ControlledSite, count: number): Promise<Row> {
  const gateway = await site.connectGateway()
  const { pid } = site.installation
  const sendAll = async (from: number): Promise<number> => {
    await untilIdle(pid)
    const before = readCpuSeconds(pid)
    const commandUuids: string[] = []
    await withConcurrency(4, count, async (index) => {
      commandUuids.push((await site.send(from + index)).commandUuid)
    })
    await gateway.waitForArrivals(commandUuids)
    await untilIdle(pid)
    return ((readCpuSeconds(pid) - before) / count) * 1_000_000
  }
  await sendAll(0)
  const withEvents = await sendAll(count)
  const { data } = JSON.parse((await site.caller.call('GET', '/v2/events?limit=1000', 200)).text) as {
    data: { data: unknown }[]
  }
  const eventUs = await costOfEvent(JSON.stringify(data.at(-1)?.data ?? {}), Math.max(count, 100))
  const ratio = withEvents / (withEvents - EVENTS_A_COMMAND * eventUs)
  return {
    label: 'Processor time of a command with its events, relative to without',
    value: times(ratio),
    ...atMost(1.15, ratio, ' x'),
    detail: `${withEvents.toFixed(0)} µs, of which each of ${EVENTS_A_COMMAND} events takes ${eventUs.toFixed(0)} µs`,
  }
}

/** Processor time of an event in a transaction that is written anyway, in microseconds. */
const costOfEvent = (data: string, count: number): Promise<number> =>
  withTempFolder(async (folder) => {
    const store = openSqliteStore(join(folder, 'portico.db'))
    try {
      await store.migrate()
      const siteUuid = randomUUID()
      const event = (): NewEvent => ({
        eventUuid: randomUUID(),
        type: 'command.updated',
        at: Date.now(),
        recordedAt: Date.now(),
        deviceUuid: randomUUID(),
        spaceUuid: randomUUID(),
        data: JSON.parse(data) as NewEvent['data'],
      })
      const batch = 100
      const each = await cost(Math.ceil(count / batch), () =>
        store.events.append(siteUuid, Array.from({ length: batch }, event)),
      )
      return each / batch
    } finally {
      await store.close()
    }
  })

/** Reads of devices at a fixed rate, before and while a webhook receives its backlog. */
async function readsDuringBacklog(
  site: ControlledSite,
  { commands, seconds }: { commands: number; seconds: number },
): Promise<Row> {
  let received = 0
  const receiver = createServer((incoming, response) => {
    received += 1
    incoming.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const added = await site.caller.call('POST', '/v2/webhooks', 201, { url, eventTypes: ['command.updated'] })
  const { webhookUuid } = JSON.parse(added.text) as { webhookUuid: string }
  const path = `/v2/webhooks/${webhookUuid}`
  await site.caller.call('PATCH', path, 200, { state: 'paused' })
  await withConcurrency(8, commands, async (index) => void (await site.send(1_000_000 + index)))
  await untilIdle(site.installation.pid)
  const p99 = async (): Promise<number> => {
    const took: number[] = []
    await atFixedRate(READS_A_SECOND, seconds * READS_A_SECOND, async (index, dueAt) => {
      took.push((await site.read(index)).at - dueAt)
    })
    return quantile(took, 0.99)
  }
  await p99()
  const alone = await p99()
  await site.caller.call('PATCH', path, 200, { state: 'enabled' })
  const during = await p99()
  const sent = received
  await site.caller.call('PATCH', path, 200, { state: 'paused' })
  receiver.closeAllConnections()
  receiver.close()
  return {
    label: 'p99 of other reads while a webhook catches up with its backlog',
    value: `${during.toFixed(1)} ms`,
    detail: `${alone.toFixed(1)} ms without; ${sent.toLocaleString('en')} events were sent meanwhile`,
  }
}

/** Resident memory that idle streams add. */
async function memoryOfStreams(site: ControlledSite, count: number): Promise<Row> {
  const { installation, siteUuid } = site
  const open = (token: string, localAddress: string): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, siteid: siteUuid, accept: 'text/event-stream' }
      const sent = request(
        `${installation.url}/v2/events/stream`,
        { headers, agent: false, localAddress },
        (response) => {
          if (response.statusCode !== 200) return reject(new Error(`a stream is ${response.statusCode}`))
          response.on('error', () => {})
          response.once('data', () => resolve(() => sent.destroy())).resume()
        },
      )
      sent.once('error', reject)
      sent.end()
    })
  const openAll = async (): Promise<(() => void)[]> => {
    const closers: (() => void)[] = []
    // The connections of one address are limited, so each partner has its own.
    for (const [index, token] of tokens.entries())
      for (let n = 0; n < STREAMS_A_PARTNER; n += 1) closers.push(await open(token, `127.0.1.${index + 1}`))
    return closers
  }
  const tokens: string[] = []
  for (let n = 0; n < count / STREAMS_A_PARTNER; n += 1)
    tokens.push(await installation.tokenFor(await installation.addPartner(siteUuid)))
  // The first round grows pools that the server keeps; the second shows what the streams need.
  const settle = async (): Promise<number> => {
    await untilIdle(installation.pid)
    return readResidentMb(installation.pid)
  }
  for (const close of await openAll()) close()
  const before = await settle()
  const closers = await openAll()
  const mb = Math.max(0.1, (await settle()) - before)
  for (const close of closers) close()
  return {
    label: `Resident memory of ${count} idle streams`,
    value: `${mb.toFixed(1)} MB`,
    ...atMost(30, mb, ' MB'),
  }
}
