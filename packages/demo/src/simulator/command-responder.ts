import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, isoInstant } from '@portico/server/kernel/clock'
import type { Log } from '@portico/server/kernel/log'
import { retryUntilSuccess } from '@portico/server/kernel/retry'
import { parseTopic, toStatusTopic } from '@portico/server/mqtt/topics'
import { readCommandMessage } from './command-message.ts'
import type { DeviceReply, SimulatedDevice } from './simulated-device.ts'

/** Publishes the devices' responses to their commands, each when it is due. */
export interface CommandResponder {
  receive(topic: string, payload: Buffer): void
  close(): void
}

export function createCommandResponder(
  siteUuid: string,
  devices: ReadonlyMap<string, SimulatedDevice>,
  {
    publish,
    clock,
    log,
  }: { publish(topic: string, payload: string): Promise<unknown>; clock: Clock; log: Log },
): CommandResponder {
  /** Commands with responses still to be published, by id. */
  const open = new Map<string, AbortController>()

  const publishStatus = (
    topic: string,
    { status, reason }: DeviceReply,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const payload = JSON.stringify({ status, ...(reason && { reason }), timestamp: isoInstant(clock.now()) })
    return retryUntilSuccess(() => publish(topic, payload), {
      signal,
      onFailure: (err) => log.debug({ err }, 'the demo’s response to a command was not accepted'),
    })
  }

  const sendReplies = async (
    device: SimulatedDevice,
    commandUuid: string,
    replies: readonly DeviceReply[],
    signal: AbortSignal,
  ): Promise<void> => {
    const topic = toStatusTopic(siteUuid, device.deviceUuid, commandUuid)
    for (const next of replies) {
      await delay(next.afterMs, undefined, { signal, ref: false })
      // A device that has gone offline meanwhile does not respond; it will when the command is sent again.
      if (device.isOffline(clock.now())) return
      await publishStatus(topic, next, signal)
    }
  }

  return {
    receive(topic, payload) {
      const device = devices.get(parseTopic(topic)?.senderUuid ?? '')
      const message = readCommandMessage(payload)
      if (!device || !message) return
      const replies = device.repliesTo(message, clock.now())
      const key = `${device.deviceUuid} ${message.commandUuid}`
      if (message.kind === 'cancel') open.get(key)?.abort()
      // A command that is repeated before its response gets only that one response.
      if (replies.length === 0 || open.has(key)) return
      const stopping = new AbortController()
      open.set(key, stopping)
      sendReplies(device, message.commandUuid, replies, stopping.signal)
        .catch(() => {})
        .finally(() => open.delete(key))
    },
    close() {
      for (const stopping of open.values()) stopping.abort()
    },
  }
}
