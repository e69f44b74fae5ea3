import assert from 'node:assert/strict'
import type { Demo } from '../servers/installation.ts'
import { asArray, asObject, asString, type JsonObject } from '../json.ts'
import { api } from '../clients/requests.ts'

export interface Metric {
  deviceUuid: string
  spaceUuid: string
  metricType: string
  kind: string
  registerSize?: number
  /** False for a gauge that does not measure the air of its space. */
  countsInSpace: boolean
}

export interface DemoData {
  spaces: JsonObject[]
  devices: JsonObject[]
  /** The metrics of each device, as its operator declared them. */
  metrics: Metric[]
  /** The declared targets of a space per day: `{electricity: 4.2}`. */
  listTargets(spaceUuid: unknown): Record<string, number>
}

/** The demo site as its partner and its operator see it. */
export async function readDemoData({ client, portico, operator }: Demo): Promise<DemoData> {
  const answer = await api(portico, `/operator/inventory/${client.siteId}`, { token: operator })
  assert.equal(answer.status, 200, answer.text)
  const declared = (name: string): JsonObject[] => asArray(answer.json[name]).map(asObject)
  return {
    spaces: await client.list('/spaces'),
    devices: await client.list('/devices'),
    metrics: declared('devices').flatMap((device) => {
      const deviceUuid = asString(device['deviceUuid'])
      const spaceUuid = asString(device['spaceUuid'])
      return Object.entries(asObject(device['metrics'])).map(([metricType, settings]) => {
        const { kind, registerSize, of } = asObject(settings)
        const size = typeof registerSize === 'number' ? { registerSize } : {}
        const medium = of ?? (device['deviceType'] === 'hotWaterCylinder' ? 'water' : 'air')
        const countsInSpace = kind !== 'gauge' || medium === 'air'
        return { deviceUuid, spaceUuid, metricType, kind: asString(kind), ...size, countsInSpace }
      })
    }),
    listTargets: (spaceUuid) => {
      const space = declared('spaces').find((candidate) => candidate['spaceUuid'] === spaceUuid)
      const targets = Object.entries(asObject(space?.['targets'] ?? {}))
      return Object.fromEntries(targets.map(([name, target]) => [name, Number(asObject(target)['perDay'])]))
    },
  }
}
