import { type Benchmark, type Row, atMost, times } from './benchmark.ts'
import { startControlledSite } from './support/controlled-site.ts'
import { withTempFolder } from './support/temp-folder.ts'
import { withConcurrency, atFixedRate, quantile } from './support/load.ts'
import { hasMosquitto, makeMosquitto } from './support/mosquitto.ts'

const PER_SECOND = 200
const CONCURRENCY = 16

export const control: Benchmark = {
  name: 'control',
  about: `Commands to 500 devices behind one gateway, received over HTTP and sent over MQTT, with every commit synced to disk; devices confirm immediately. ${PER_SECOND} commands and as many reads per second are sent at a fixed rate, and latency is measured from the time at which a request was due. Clients and devices run on the same machine.`,
  run: async ({ isSmoke }) => [
    ...(await withTempFolder((folder) =>
      steadyRate(folder, isSmoke ? { warmUpSeconds: 0, seconds: 1 } : { warmUpSeconds: 5, seconds: 20 }),
    )),
    await withTempFolder((folder) =>
      backlog(folder, isSmoke ? { devices: 50, count: 100 } : { devices: 500, count: 10_000 }),
    ),
  ],
}

/** Commands at a fixed rate, with concurrent reads of the same devices. */
async function steadyRate(
  folder: string,
  { warmUpSeconds, seconds }: { warmUpSeconds: number; seconds: number },
): Promise<Row[]> {
  const site = await startControlledSite(folder, 500)
  try {
    const gateway = await site.connectGateway()
    const answered = { POST: [] as number[], GET: [] as number[] }
    const accepted: { commandUuid: string; at: number }[] = []
    const skipped = warmUpSeconds * PER_SECOND
    const post = async (index: number, dueAt: number): Promise<void> => {
      const { commandUuid, at } = await site.send(index)
      if (index < skipped) return
      answered.POST.push(at - dueAt)
      accepted.push({ commandUuid, at })
    }
    const get = async (index: number, dueAt: number): Promise<void> => {
      const { at } = await site.read(index)
      if (index >= skipped) answered.GET.push(at - dueAt)
    }
    await atFixedRate(2 * PER_SECOND, 2 * (skipped + seconds * PER_SECOND), (index, dueAt) =>
      (index % 2 === 0 ? post : get)(Math.floor(index / 2), dueAt),
    )
    const arrivals = await gateway.waitForArrivals(accepted.map(({ commandUuid }) => commandUuid))
    // A message may arrive before the HTTP response.
    const dispatched = accepted.map(({ at }, index) => Math.max(0, (arrivals[index] ?? 0) - at))
    const slowest = { POST: quantile(answered.POST, 0.99), GET: quantile(answered.GET, 0.99) }
    return [
      {
        label: `POST …/schedule, ${PER_SECOND} per second for ${seconds} s, p50`,
        value: ms(quantile(answered.POST, 0.5)),
      },
      { label: 'POST …/schedule, p99', value: ms(slowest.POST), ...atMost(10, slowest.POST, ' ms') },
      {
        label: 'its p99, relative to that of GET …/schedule of the same device',
        value: `${times(slowest.POST / slowest.GET)} (${ms(slowest.GET)})`,
      },
      {
        label: 'from the 202 to the message at the device, p50',
        value: ms(quantile(dispatched, 0.5)),
        ...atMost(50, quantile(dispatched, 0.5), ' ms'),
      },
      { label: 'from the 202 to the message at the device, p99', value: ms(quantile(dispatched, 0.99)) },
    ]
  } finally {
    await site.stop()
  }
}

/** Commands accepted while the broker is down, then delivered all together. */
async function backlog(folder: string, { devices, count }: { devices: number; count: number }): Promise<Row> {
  const mosquitto = hasMosquitto() ? await makeMosquitto(folder) : undefined
  await mosquitto?.start()
  const site = await startControlledSite(folder, devices, mosquitto?.url)
  try {
    let gateway = await site.connectGateway()
    await (mosquitto ?? { stop: gateway.end }).stop()
    const commandUuids: string[] = []
    await withConcurrency(CONCURRENCY, count, async (index) => {
      const { commandUuid } = await site.send(index)
      commandUuids.push(commandUuid)
    })
    await mosquitto?.start()
    const backAt = performance.now()
    if (!mosquitto) gateway = await site.connectGateway()
    const arrivals = await gateway.waitForArrivals(commandUuids)
    const away = mosquitto ? 'Mosquitto' : 'the gateway'
    const seconds = (Math.max(...arrivals) - backAt) / 1000
    return {
      label: `${count.toLocaleString('en')} commands accepted while ${away} was down: time from its return until all have reached their devices`,
      value: `${seconds.toFixed(1)} s`,
      ...atMost(20, seconds, ' s'),
    }
  } finally {
    await site.stop()
    await mosquitto?.stop()
  }
}

const ms = (value: number): string => `${value.toFixed(1)} ms`
