import { type Leases, RENEW_EVERY_MS } from '../../domain/coordination/leases.ts'
import { newUuid } from '../../kernel/ids.ts'
import { repeatEvery } from '../../kernel/repeat-every.ts'
import type { Broker } from './broker.ts'
import { parseBrokerAddress } from './connection.ts'
import { drainSession } from './drain.ts'
import { openExternalBroker, type ExternalBrokerEvents, subscriptionsTo } from './external.ts'
import type { TopicKind } from '../topics.ts'

/**
 * An outside broker that several instances share. Each has a session there, and what devices send is shared out to the sessions. A
 * session is a lease, and its name the client id: who starts goes on with one that nobody holds, and what an instance leaves
 * behind otherwise is taken over by the others, message by message.
 */
export async function connectSharedBroker(
  {
    url,
    prefix,
    kinds,
    leases,
  }: { url: string; prefix: string; kinds: readonly TopicKind[]; leases: Leases },
  events: ExternalBrokerEvents,
): Promise<Broker> {
  const { log, receive } = events
  const address = parseBrokerAddress(url)
  const unwanted = subscriptionsTo(kinds).flat()
  const drains = new Map<string, { stop(): Promise<void> }>()
  let session = await takeSession()
  let own = open()

  async function takeSession(): Promise<string> {
    for (const name of await leases.listFree(prefix)) if (await leases.acquire(name)) return name
    const name = prefix + newUuid().slice(0, 8)
    await leases.acquire(name)
    return name
  }

  function open(): Broker {
    return openExternalBroker({ url, clientId: session, kinds }, events)
  }

  /** Lost by an instance that was silent for too long. Its session is with another now. */
  async function keepOwn(): Promise<void> {
    if (await leases.acquire(session)) return
    log.warn({ session }, 'another instance has taken over the MQTT session')
    await own.close()
    session = await takeSession()
    own = open()
  }

  async function keepDrains(): Promise<void> {
    for (const [name, drain] of drains) {
      if (await leases.acquire(name)) continue
      drains.delete(name)
      await drain.stop()
    }
  }

  async function takeOver(): Promise<void> {
    for (const name of await leases.listFree(prefix)) {
      if (drains.has(name) || !(await leases.acquire(name))) continue
      log.info({ session: name }, 'taking over what another instance left at the MQTT broker')
      const onEnd = (isOver: boolean): void => {
        drains.delete(name)
        // One that the broker did not end is taken over again.
        ;(isOver ? leases.remove(name) : leases.release(name)).catch(onFailure)
      }
      drains.set(name, drainSession({ address, clientId: name, unwanted }, { receive, onEnd }))
    }
  }

  function onFailure(err: unknown): void {
    log.debug({ err }, 'MQTT sessions cannot be looked after')
  }

  const looking = repeatEvery(
    RENEW_EVERY_MS,
    async () => {
      await keepOwn()
      await keepDrains()
      await takeOver()
    },
    onFailure,
  )

  return {
    isConnected: () => own.isConnected(),
    publish: (topic, payload) => own.publish(topic, payload),
    async close() {
      await looking.stop()
      await Promise.all([own, ...drains.values()].map((one) => ('stop' in one ? one.stop() : one.close())))
      await Promise.all([session, ...drains.keys()].map((name) => leases.release(name).catch(onFailure)))
    },
  }
}
