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
import { DamagedData } from '../../../../../src/store/damage.ts'
import { unavailable } from '../../../../../src/kernel/errors.ts'
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

/** A dispatcher whose rounds are run one at a time, with the times at which it ended commands past their deadline. */
function createRounds(outbox: OutboxStore = createOutbox([]), apply: CommandStore['apply'] = unused) {
  const state = { now: NOON, isConnected: true, failure: undefined as Error | undefined }
  const ended: number[] = []
  let finished = Promise.withResolvers<void>()
  const dispatcher = createDispatcher({
    outbox: {
      ...outbox,
      async claim(...values) {
        const claimed = await outbox.claim(...values)
        if (claimed.length === 0) finished.resolve()
        return claimed
      },
      async recordAttempts(...values) {
        await outbox.recordAttempts(...values)
        finished.resolve()
      },
    },
    commands: {
      ...UNUSED_COMMANDS,
      apply,
      async expireOverdue(at) {
        if (state.failure) throw state.failure
        ended.push((at - NOON) / 1_000)
        return []
      },
    },
    compose: unused,
    publish: unused,
    isConnected: () => state.isConnected,
    runSchedules: async () => {
      if (state.failure) throw state.failure
      if (!state.isConnected) finished.resolve()
    },
    clock: { now: () => state.now },
    log: createLog('silent'),
  })
  return {
    state,
    ended,
    close: () => dispatcher.close(),
    async roundAt(seconds: number, call: () => void = dispatcher.notify): Promise<void> {
      finished = Promise.withResolvers()
      state.now = NOON + seconds * 1_000
      call()
      await finished.promise
      // The round ends after its last call of the outbox.
      await new Promise(setImmediate)
    },
    connected: dispatcher.connected,
    /** A round that fails. */
    async failed(seconds: number): Promise<void> {
      state.now = NOON + seconds * 1_000
      dispatcher.notify()
      await new Promise(setImmediate)
    },
  }
}

test('no command ends by timeout until responses that were held meanwhile have arrived', async (t) => {
  const { ended, close, roundAt, connected } = createRounds()
  t.after(close)
  await roundAt(0)
  await roundAt(29)
  assert.deepEqual(ended, [])
  await roundAt(30)
  assert.deepEqual(ended, [30])
  await roundAt(60, connected)
  assert.deepEqual(ended, [30])
  await roundAt(90)
  assert.deepEqual(ended, [30, 90])
  await roundAt(-60)
  assert.deepEqual(ended, [30, 90, -60], 'the clock was set back')
})

test('while the broker is not connected, commands end two minutes late', async (t) => {
  const { state, ended, close, roundAt } = createRounds()
  t.after(close)
  state.isConnected = false
  await roundAt(0)
  await roundAt(119)
  assert.deepEqual(ended, [])
  await roundAt(120)
  await roundAt(121)
  assert.deepEqual(ended, [120])
  state.isConnected = true
  await roundAt(239)
  await roundAt(268)
  assert.deepEqual(ended, [120], 'the broker has just connected')
  await roundAt(269)
  assert.deepEqual(ended, [120, 269])
})

test('after an outage of the store, commands end when responses have been repeated', async (t) => {
  const { state, ended, close, roundAt, failed } = createRounds()
  t.after(close)
  await roundAt(30)
  state.failure = unavailable('The store is down.')
  for (const seconds of [31, 900]) await failed(seconds)
  state.failure = undefined
  await roundAt(929)
  assert.deepEqual(ended, [30])
  await roundAt(930)
  assert.deepEqual(ended, [30, 930])
})

test('a command whose attempts are used up is given up only after held responses have arrived', async (t) => {
  const events: string[] = []
  const { command } = newCommand(newDeviceRef())
  const message = { ...toOutboxMessage(command), tries: 5, failures: 0 }
  const { close, roundAt } = createRounds(
    { ...createOutbox([]), claim: async () => [message] },
    async (_siteUuid, _deviceUuid, _commandUuid, { event }) => {
      events.push(event)
      return { command, isChanged: true }
    },
  )
  t.after(close)
  await roundAt(0)
  assert.deepEqual(events, [])
  await roundAt(30)
  assert.deepEqual(events, ['gave-up'])
})

test('damaged data of commands or schedules does not prevent messages from being sent', async (t) => {
  let claims = 0
  const { state, close, roundAt } = createRounds({
    ...createOutbox([]),
    async claim() {
      claims += 1
      return []
    },
  })
  t.after(close)
  state.failure = new DamagedData('A row is damaged')
  await roundAt(30)
  assert.equal(claims, 1)
})
