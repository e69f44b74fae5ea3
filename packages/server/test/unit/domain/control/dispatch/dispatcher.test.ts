import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDispatcher } from '../../../../../src/domain/control/dispatch/dispatcher.ts'
import type {
  Attempt,
  CommandEvent,
  CommandStore,
  OutboxMessage,
  OutboxStore,
} from '../../../../../src/domain/control/command/store.ts'
import { toOutboxMessage } from '../../../../../src/domain/control/command/transition.ts'
import { createLog } from '../../../../../src/kernel/log.ts'
import { newCommand, newDeviceRef } from '../../../../support/commands.ts'
import { NOON } from '../../../../support/seed.ts'

const unused = (): Promise<never> => Promise.reject(new Error('not part of this test'))

const UNUSED_COMMANDS: CommandStore = {
  add: unused,
  replay: unused,
  get: unused,
  list: unused,
  search: unused,
  lastOutcomes: unused,
  unfinished: unused,
  confirmed: unused,
  expireOverdue: async () => [],
  apply: unused,
}

/** An outbox from which these messages are claimed once. */
const createOutbox = (
  waiting: OutboxMessage[],
  recordAttempts: OutboxStore['recordAttempts'] = async () => {},
): OutboxStore => ({
  claim: async () => waiting.splice(0),
  recordAttempts,
  retryNow: async () => {},
  acknowledge: async () => false,
})

const newMessage = (): OutboxMessage => ({
  ...toOutboxMessage(newCommand(newDeviceRef()).command),
  tries: 0,
  failures: 0,
})

test('a command of a server schedule that needs no message is confirmed by the server', async (t) => {
  const { command } = newCommand(newDeviceRef())
  const { promise: applied, resolve } = Promise.withResolvers<CommandEvent>()
  const commands: CommandStore = {
    ...UNUSED_COMMANDS,
    async apply(_siteUuid, _deviceUuid, commandUuid, event) {
      assert.equal(commandUuid, command.commandUuid)
      resolve(event)
      return { command, isChanged: true }
    },
  }
  const dispatcher = createDispatcher({
    outbox: createOutbox([{ ...toOutboxMessage(command), tries: 0, failures: 0 }]),
    commands,
    compose: async () => 'nothing-to-send',
    publish: unused,
    isConnected: () => true,
    runSchedules: async () => {},
    clock: { now: () => NOON },
    log: createLog('silent'),
  })
  t.after(() => dispatcher.close())
  dispatcher.notify()
  assert.deepEqual(await applied, { event: 'server-confirmed', reason: null, at: NOON })
})

test('a message that cannot be built does not prevent recording that others were sent', async (t) => {
  const [bad, good] = [newMessage(), newMessage()]
  const { promise: recorded, resolve } = Promise.withResolvers<readonly Attempt[]>()
  const dispatcher = createDispatcher({
    outbox: createOutbox([bad, good], async (attempts) => resolve(attempts)),
    commands: UNUSED_COMMANDS,
    async compose({ messageUuid }) {
      if (messageUuid === bad.messageUuid) throw new Error('The row is damaged.')
      return { message: { commandUuid: messageUuid, type: 'resume', issuedAt: '', expiresAt: '' } }
    },
    publish: async () => 'published',
    isConnected: () => true,
    runSchedules: async () => {},
    clock: { now: () => NOON },
    log: createLog('silent'),
  })
  t.after(() => dispatcher.close())
  dispatcher.notify()
  const attempts = await recorded
  assert.deepEqual(
    attempts.map(({ messageUuid, outcome }) => [messageUuid, outcome]),
    [[good.messageUuid, 'sent']],
  )
})

test('no command ends by timeout until responses that were held while the broker was not connected have arrived', async (t) => {
  let now = NOON
  const expired: number[] = []
  let finished = Promise.withResolvers<void>()
  const dispatcher = createDispatcher({
    outbox: createOutbox([]),
    commands: {
      ...UNUSED_COMMANDS,
      async expireOverdue(at) {
        expired.push(at - NOON)
        return []
      },
    },
    compose: unused,
    publish: unused,
    isConnected: () => true,
    runSchedules: async () => finished.resolve(),
    clock: { now: () => now },
    log: createLog('silent'),
  })
  t.after(() => dispatcher.close())
  const round = async (call: () => void): Promise<void> => {
    finished = Promise.withResolvers()
    call()
    await finished.promise
  }
  await round(dispatcher.notify)
  now = NOON + 4_000
  await round(dispatcher.notify)
  assert.deepEqual(expired, [])
  now = NOON + 5_000
  await round(dispatcher.notify)
  assert.deepEqual(expired, [5_000])
  now = NOON + 60_000
  await round(dispatcher.connected)
  assert.deepEqual(expired, [5_000])
  now = NOON + 65_000
  await round(dispatcher.notify)
  assert.deepEqual(expired, [5_000, 65_000])
  now = NOON - 60_000
  await round(dispatcher.notify)
  assert.deepEqual(expired, [5_000, 65_000, -60_000], 'the clock was set back')
})
