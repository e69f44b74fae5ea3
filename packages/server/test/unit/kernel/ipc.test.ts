import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError, invalidField, unavailable } from '../../../src/kernel/errors.ts'
import { type MessageTransport, createIpc, type IpcConnection } from '../../../src/kernel/ipc.ts'

interface Calls {
  double(value: number): number
  refuse(): void
  break(): void
  stay(): Promise<void>
}

/** Two ends of a channel that copies messages, like the one between processes. */
function connect(): { here: IpcConnection<Calls>; sent: unknown[][] } {
  const sent: unknown[][] = []
  const listeners: ((messages: never[]) => void)[] = []
  const end = (own: number, other: number): MessageTransport => ({
    send(messages) {
      sent.push(messages)
      listeners[other]?.(structuredClone(messages) as never[])
    },
    onMessage: (listener) => {
      listeners[own] = listener
    },
  })
  const here = createIpc<Calls>(end(0, 1), {})
  createIpc(end(1, 0), {
    double: (value: number) => value * 2,
    refuse() {
      throw invalidField('name', 'required', 'is required')
    },
    break() {
      throw new TypeError('broken')
    },
    stay: () => new Promise<void>(() => {}),
  })
  return { here, sent }
}

test('calls return results, and those of one event-loop tick are sent together', async () => {
  const { here, sent } = connect()
  assert.deepEqual(await Promise.all([1, 2, 3].map((value) => here.call('double', value))), [2, 4, 6])
  assert.equal(sent.length, 2)
})

test('an expected failure arrives as the same failure', async () => {
  const { here } = connect()
  const error = await here.call('refuse').catch((caught: unknown) => caught)
  assert.ok(error instanceof AppError)
  assert.deepEqual(error, invalidField('name', 'required', 'is required'))
})

test('any other failure keeps its message and stack', async () => {
  const { here } = connect()
  const error = await here.call('break').catch((caught: unknown) => caught)
  assert.ok(error instanceof Error && !(error instanceof AppError))
  assert.equal(error.message, 'broken')
  assert.match(error.stack ?? '', /ipc\.test\.ts/)
})

test('a call of an unknown method fails', async () => {
  const { here } = connect()
  await assert.rejects((here as IpcConnection<{ nothing(): void }>).call('nothing'), /cannot be called/)
})

test('pending and later calls are rejected when the peer disconnects', async () => {
  const { here } = connect()
  const waiting = here.call('stay')
  await nextTurn()
  here.end(unavailable('gone'))
  await assert.rejects(waiting, { internal: 'gone' })
  await assert.rejects(here.call('double', 1), { internal: 'gone' })
})
