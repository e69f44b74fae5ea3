import type { SiteUnits } from './site-senders.ts'
import { parseTopic, toTopic } from '../topics.ts'

/** A message as Aedes stores and sends it. */
export interface RetainedPacket {
  cmd: 'publish'
  topic: string
  payload: Buffer
  qos: 0 | 1 | 2
}

/**
 * Retained messages of the embedded broker: only the newest presence of each device and gateway. Their number is
 * bounded by the number of devices and gateways, because the presence of an unknown one is never accepted.
 */
export interface RetainedPresence {
  /** Replaces the retained presence; an empty payload removes it. */
  set(packet: RetainedPacket): void
  /** The messages that match the filters of one SUBSCRIBE. */
  find(filters: readonly string[]): AsyncIterable<RetainedPacket>
  /** Removes devices and gateways that are no longer in the inventory. */
  prune(): Promise<void>
}

type Units = Map<string, RetainedPacket>

/** The presences that a filter matches: that of one device or gateway, those of the whole site (`+`), or none. */
export function parsePresenceFilter(filter: string): { siteUuid: string; senderUuid: string } | undefined {
  const [, , siteUuid = '', unit = '', ...kind] = filter.split('/')
  if (unit === '#') return kind.length === 0 ? { siteUuid, senderUuid: '+' } : undefined
  const isPresence = ['presence', '+', '#', 'presence/#', '+/#'].includes(kind.join('/'))
  return isPresence ? { siteUuid, senderUuid: unit } : undefined
}

export function createRetainedPresence(
  loadUnits: (siteUuid: string) => Promise<SiteUnits | undefined>,
): RetainedPresence {
  const sites = new Map<string, Units>()

  const pruneSite = async (siteUuid: string): Promise<void> => {
    const current = await loadUnits(siteUuid)
    const units = sites.get(siteUuid)
    for (const unitUuid of units?.keys() ?? []) if (!current?.has(unitUuid)) units?.delete(unitUuid)
    if (units?.size === 0) sites.delete(siteUuid)
  }

  return {
    set({ topic, payload, qos }) {
      const parsed = parseTopic(topic)
      if (parsed?.kind !== 'presence') return
      const { siteUuid, senderUuid } = parsed
      const units: Units = sites.get(siteUuid) ?? new Map<string, RetainedPacket>()
      units.delete(senderUuid)
      // Copied, because the payload is part of a larger buffer that would stay in memory with it.
      if (payload.length > 0)
        units.set(senderUuid, {
          cmd: 'publish',
          topic: toTopic('presence', siteUuid, senderUuid),
          payload: Buffer.from(payload),
          qos,
        })
      if (units.size > 0) sites.set(siteUuid, units)
      else sites.delete(siteUuid)
    },

    async *find(filters) {
      const wanted = filters.flatMap((filter) => parsePresenceFilter(filter) ?? [])
      const siteUuid = wanted[0]?.siteUuid
      // Subscriptions are granted within one site only.
      const units = siteUuid === undefined ? undefined : sites.get(siteUuid)
      if (siteUuid === undefined || !units) return
      // If the store is unavailable, the messages are sent without pruning.
      await pruneSite(siteUuid).catch(() => {})
      const isAll = wanted.some(({ senderUuid }) => senderUuid === '+')
      const unitUuids = isAll ? [...units.keys()] : new Set(wanted.map(({ senderUuid }) => senderUuid))
      for (const unitUuid of unitUuids) {
        const packet = units.get(unitUuid)
        if (packet) yield packet
      }
    },

    async prune() {
      const siteUuids = [...sites.keys()]
      for (const siteUuid of siteUuids) await pruneSite(siteUuid)
    },
  }
}
