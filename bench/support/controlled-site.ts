import { connectGateway, type Gateway } from './gateway.ts'
import { type Installation, startInstallation } from './installation.ts'
import { createCaller, type Answer, type Caller } from './load.ts'
import { makeValveSite } from './valves.ts'

const HOUR_MS = 3_600_000

/** A server with a site of valves, a partner that controls them and an account for their gateway. */
export interface ControlledSite {
  siteUuid: string
  installation: Installation
  /** Calls of the partner. */
  caller: Caller
  /** Sends each device a one-off, round robin. Those of a device do not overlap, so none supersedes another. */
  send(index: number): Promise<Answer & { commandUuid: string }>
  /** Reads the devices, round robin. */
  read(index: number): Promise<Answer>
  connectGateway(): Promise<Gateway>
  stop(): Promise<void>
}

export async function startControlledSite(
  folder: string,
  deviceCount: number,
  outsideBroker?: string,
): Promise<ControlledSite> {
  const site = makeValveSite(deviceCount)
  const { siteUuid, deviceUuids } = site
  const installation = await startInstallation(folder, { broker: outsideBroker })
  await installation.applyInventory(site.document)
  const account = await installation.addGateway(siteUuid)
  const token = await installation.tokenFor(await installation.addPartner(siteUuid))
  const caller = createCaller(installation.url, token, siteUuid)
  const gateways: Gateway[] = []
  const startedAt = Date.now()
  const toPath = (index: number): string => `/v2/devices/${deviceUuids[index % deviceCount]}`
  return {
    siteUuid,
    installation,
    caller,
    async send(index) {
      const startsAt = startedAt + (1 + Math.floor(index / deviceCount)) * HOUR_MS
      const answer = await caller.call('POST', `${toPath(index)}/schedule`, 202, {
        type: 'oneOff',
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(startsAt + HOUR_MS / 2).toISOString(),
        target: { temperature: 21 },
      })
      const { commandUuid } = JSON.parse(answer.text) as { commandUuid: string }
      return { ...answer, commandUuid }
    },
    read: (index) => caller.call('GET', toPath(index), 200),
    async connectGateway() {
      const gateway = await connectGateway(installation.mqttUrl, account, site)
      gateways.push(gateway)
      return gateway
    },
    async stop() {
      for (const gateway of gateways) await gateway.end()
      caller.close()
      await installation.stop()
    },
  }
}
