import { type Leases, RENEW_EVERY_MS } from '../../domain/coordination/leases.ts'
import { newUuid } from '../../kernel/ids.ts'
import { repeatEvery } from '../../kernel/repeat-every.ts'
import type { Broker } from './broker.ts'
import { parseBrokerAddress } from './address.ts'
import { drainSession } from './drain.ts'
import { openExternalBroker, type ExternalBrokerEvents, subscriptionsTo } from './external.ts'
import type { TopicKind } from '../topics.ts'

/**
 * An external broker shared by several instances. Each instance has a session, and shared subscriptions distribute the
 * devices' messages among the sessions. A session is a lease whose name is the client id: a starting instance takes
 * over a free one, and the others drain the sessions that remain, message by message.
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
  /** Undefined while this instance has no session. */
  let own: Broker | undefined = open()

  async function takeSession(): Promise<string> {
    for (const name of await leases.listFree(prefix))
      if (!drains.has(name) && (await leases.acquire(name))) return name
    const name = prefix + newUuid().slice(0, 8)
    await leases.acquire(name)
    return name
  }

  function open(): Broker {
    return openExternalBroker({ url, clientId: session, kinds }, events)
  }

  /** An instance that did not renew its lease in time has lost it: another instance now uses its session. */
  async function renewOwn(): Promise<void> {
    if (own) {
      if (await leases.acquire(session)) return
      log.warn({ session }, 'another instance has taken over the MQTT session')
      const lost = own
      own = undefined
      await lost.close()
    }
    session = await takeSession()
    own = open()
  }

  async function renewDrains(): Promise<void> {
    for (const [name, drain] of drains) {
      if (await leases.acquire(name)) continue
      drains.delete(name)
      await drain.stop()
    }
  }

  async function takeOver(): Promise<void> {
    for (const name of await leases.listFree(prefix)) {
      if (drains.has(name) || !(await leases.acquire(name))) continue
      log.info({ session: name }, 'draining the MQTT session of an instance that has ended')
      const onEnd = (isOver: boolean): void => {
        drains.delete(name)
        // If the broker did not end the session, it is drained again later.
        ;(isOver ? leases.remove(name) : leases.release(name)).catch(onFailure)
      }
      drains.set(name, drainSession({ address, clientId: name, unwanted }, { receive, onEnd }))
    }
  }

  function onFailure(err: unknown): void {
    log.debug({ err }, 'MQTT session leases could not be renewed')
  }

  const looking = repeatEvery(
    RENEW_EVERY_MS,
    async () => {
      await renewOwn()
      await renewDrains()
      await takeOver()
    },
    onFailure,
  )

  return {
    isConnected: () => own?.isConnected() ?? false,
    async publish(topic, payload) {
      if (!own) throw new Error('the broker is not connected')
      return own.publish(topic, payload)
    },
    async close() {
      await looking.stop()
      await Promise.all([own?.close(), ...[...drains.values()].map((drain) => drain.stop())])
      await Promise.all([session, ...drains.keys()].map((name) => leases.release(name).catch(onFailure)))
    },
  }
}
