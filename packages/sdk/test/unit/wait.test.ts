import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  CommandFailedError,
  ConflictError,
  memoryCache,
  TimeoutError,
  WaitTimeoutError,
} from '../../src/index.ts'
import { catchRejection, type StubAnswer, startStub } from './stub.ts'

const COMMAND = { deviceUuid: 'd', commandUuid: 'c' }

const state = (name: string, more: object = {}): StubAnswer => ({
  headers: { etag: `"${name}"`, 'preference-applied': 'wait' },
  body: { ...COMMAND, state: name, failureReason: null, ...more },
})

describe('waiting for a command', () => {
  test('costs one request for each state', async () => {
    const states = ['PENDING', 'SENT', 'CONFIRMED']
    const stub = startStub((_, index) => state(states[index] ?? 'CONFIRMED'))
    const command = await stub.create().site().commands.wait(COMMAND)
    assert.equal(command.state, 'CONFIRMED')
    assert.deepEqual(
      stub.seen.map(({ headers }) => [headers.get('if-none-match'), headers.get('prefer')]),
      [
        [null, null],
        ['"PENDING"', 'wait=25'],
        ['"SENT"', 'wait=25'],
      ],
    )
  })

  test('goes on after a 304', async () => {
    const notModified = { status: 304, headers: { 'preference-applied': 'wait' } }
    const stub = startStub((_, index) => [state('SENT'), notModified, state('CONFIRMED')][index] ?? {})
    await stub.create().site().commands.wait(COMMAND)
    assert.equal(stub.seen[2]?.headers.get('if-none-match'), '"SENT"')
  })

  test('polls a server that does not wait', async () => {
    const stub = startStub((_, index) => ({ body: { ...COMMAND, state: index < 2 ? 'SENT' : 'CONFIRMED' } }))
    assert.equal((await stub.create().site().commands.wait(COMMAND)).state, 'CONFIRMED')
    assert.equal(stub.seen.length, 3)
  })

  test('ends with the cached command, if its state is final', async () => {
    const stub = startStub(({ headers }) =>
      headers.has('if-none-match') ? { status: 304, headers: { etag: '"1"' } } : state('CONFIRMED'),
    )
    const { commands } = stub.create({ cache: memoryCache() }).site()
    await commands.get(COMMAND)
    const { data, response } = await commands.wait(COMMAND, { timeoutMs: 50 }).withResponse()
    assert.deepEqual([data.state, response.status], ['CONFIRMED', 304])
  })

  test('is bounded by deadlineMs as a whole, not for each request', async () => {
    let count = 0
    const stub = startStub(async () => {
      await new Promise(setImmediate)
      return state(`SENT-${(count += 1)}`)
    })
    const error = await catchRejection(stub.create().site().commands.wait(COMMAND, { deadlineMs: 50 }))
    assert.ok(error instanceof TimeoutError)
  })

  for (const name of ['FAILED', 'EXPIRED', 'CANCELLED'])
    test(`rejects if it ends as ${name}`, async () => {
      const failureReason = name === 'EXPIRED' ? null : { code: 'DEVICE_REJECTED', message: 'No.' }
      const stub = startStub(() => state(name, { failureReason }))
      const error = await catchRejection(stub.create().site().commands.wait(COMMAND))
      assert.ok(error instanceof CommandFailedError)
      assert.equal(error.code, name === 'EXPIRED' ? 'EXPIRED' : 'DEVICE_REJECTED')
      assert.equal(error.command.state, name)
    })

  test('ends with the command as it was last seen if it takes too long', async () => {
    const stub = startStub(() => ({ body: { ...COMMAND, state: 'SENT' } }))
    const error = await catchRejection(stub.create().site().commands.wait(COMMAND, { timeoutMs: 50 }))
    assert.ok(error instanceof WaitTimeoutError)
    assert.equal(error.command.state, 'SENT')
  })
})

describe('cancelling', () => {
  test('succeeds if an earlier try has cancelled the command', async () => {
    const stub = startStub(({ method }, index) => {
      if (index === 0) throw new TypeError('cut')
      if (method === 'DELETE') return { status: 409 }
      return state('CANCELLED', { failureReason: { code: 'REQUESTED', message: '' } })
    })
    assert.equal((await stub.create().site().commands.cancel(COMMAND)).state, 'CANCELLED')
  })

  test('is a conflict if the command has ended otherwise', async () => {
    const stub = startStub(({ method }) => (method === 'DELETE' ? { status: 409 } : state('CONFIRMED')))
    assert.ok((await catchRejection(stub.create().site().commands.cancel(COMMAND))) instanceof ConflictError)
  })
})
