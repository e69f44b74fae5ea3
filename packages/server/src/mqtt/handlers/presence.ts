import type { PresenceMessage } from '@portico/wire/mqtt/messages'
import type { GatewayStore } from '../../domain/estate/gateway/store.ts'
import type { SiteDirectory } from '../../domain/estate/inventory/site-directory.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import type { PresenceStore } from '../../domain/estate/presence.ts'
import type { Handler } from '../message-router.ts'
import { isKnownUnit } from '../brokers/site-senders.ts'

const BAD_MESSAGE = { code: 'bad-message', message: 'The payload must be online or offline.' }
const UNKNOWN_UNIT = { code: 'unknown-device', message: 'The site has no such device or gateway.' }
const WORDS: Record<PresenceMessage, boolean> = { online: true, offline: false }

/** Handles `…/presence`. */
export function handlePresence(deps: {
  siteDirectory: SiteDirectory
  gateways: Pick<GatewayStore, 'list'>
  presences: PresenceStore
  /** Called when devices are online again. */
  onOnline(siteUuid: string, deviceUuids: readonly string[]): void
}): Handler {
  const { siteDirectory, gateways, presences, onOnline } = deps
  return async ({ siteUuid, senderUuid }, { payload, isRetainedCopy }, receivedAt) => {
    const model = await siteDirectory.find(siteUuid)
    if (!model || !(await isKnownUnit(model, senderUuid, gateways))) return { rejection: UNKNOWN_UNIT }
    const word = payload.toString('latin1')
    const isOnline = word === 'online' || word === 'offline' ? WORDS[word] : undefined
    if (isOnline === undefined) {
      // An empty payload deletes a retained message and does not report a state.
      return payload.length === 0 ? {} : { rejection: BAD_MESSAGE }
    }
    await presences.set(siteUuid, senderUuid, { isOnline, at: receivedAt }, isRetainedCopy)
    if (isOnline) onOnline(siteUuid, listDevices(model, senderUuid))
    return {}
  }
}

/** The device itself, or the devices behind the gateway. */
const listDevices = ({ devices }: SiteModel, senderUuid: string): string[] =>
  devices.has(senderUuid)
    ? [senderUuid]
    : [...devices.values()].flatMap(({ record }) =>
        record.gatewayUuid === senderUuid ? record.deviceUuid : [],
      )
