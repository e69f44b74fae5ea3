import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDispatcher } from '../../../../../src/domain/control/dispatch/dispatcher.ts'
import type {
  CommandEvent,
  CommandStore,
  OutboxMessage,
  OutboxStore,
} from '../../../../../src/domain/control/command/store.ts'
import { toOutboxMessage } from '../../../../../src/domain/control/command/transition.ts'
import { createLog } from '../../../../../src/kernel/log.ts'
import { newCommand, newDeviceRef } from '../../../../support/commands.ts'
import { NOON } from '../../../../support/seed.ts'

test('a command of a server schedule that needs no message is confirmed by the server', async (t) => {
  const { command } = newCommand(newDeviceRef())
  const waiting: OutboxMessage[] = [{ ...toOutboxMessage(command), tries: 0, failures: 0 }]
  const { promise: applied, resolve } = Promise.withResolvers<CommandEvent>()
  const outbox: OutboxStore = {
    claim: async () => waiting.splice(0),
    recordAttempts: async () => {},
    retryNow: async () => {},
    acknowledge: async () => false,
  }
  const unused = (): Promise<never> => Promise.reject(new Error('not part of this test'))
  const commands: CommandStore = {
    add: unused,
    replay: unused,
    get: unused,
    list: unused,
    search: unused,
    lastOutcomes: unused,
    unfinished: unused,
    confirmed: unused,
    expireOverdue: unused,
    async apply(_siteUuid, _deviceUuid, commandUuid, event) {
      assert.equal(commandUuid, command.commandUuid)
      resolve(event)
      return { command, isChanged: true }
    },
  }
  const dispatcher = createDispatcher({
    outbox,
    commands,
    compose: async () => 'nothing-to-send',
    publish: unused,
    isConnected: () => true,
    expireOverdue: async () => {},
    clock: { now: () => NOON },
    log: createLog('silent'),
  })
  t.after(() => dispatcher.close())
  dispatcher.notify()
  assert.deepEqual(await applied, { event: 'server-confirmed', reason: null, at: NOON })
})
