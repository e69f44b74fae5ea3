import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { type CalledThread, createCalledThread } from '../../../src/kernel/called-thread.ts'
import { AppError, invalidField } from '../../../src/kernel/errors.ts'
import type { ProgramApi } from '../../support/called-thread-program.ts'

let failures: string[] = []
let thread: CalledThread<ProgramApi>

function create(): CalledThread<ProgramApi> {
  failures = []
  thread = createCalledThread<ProgramApi>({
    name: 'test',
    program: new URL('../../support/called-thread-program.ts', import.meta.url),
    data: undefined,
    ours: { name: () => 'host' },
    maxHeapMb: 64,
    maxYoungGenerationMb: 4,
    onFailure: (error) => failures.push(error.message),
  })
  return thread
}

afterEach(() => thread.close())

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable'

test('calls go both ways, and errors arrive as they were thrown', async () => {
  const { call } = create().open()
  assert.equal(await call('double', 21), 42)
  assert.equal(await call('askBack'), 'host')
  await assert.rejects(call('refuse'), invalidField('name', 'required', 'is required'))
})

test('bytes with a buffer of their own are moved', async () => {
  const { call } = create().open()
  const bytes = Uint8Array.of(1, 2, 3)
  assert.deepEqual(await call('reverse', bytes), Uint8Array.of(3, 2, 1))
  assert.equal(bytes.length, 0)
})

test('bytes in a shared buffer are copied', async () => {
  const { call } = create().open()
  const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3)
  assert.deepEqual(await call('reverse', bytes), Uint8Array.of(3, 2))
  assert.deepEqual(bytes, Uint8Array.of(2, 3))
})

test('a failure ends the calls of open sessions, and the next session has another thread', async () => {
  const { open } = create()
  const { call } = open()
  const staying = call('stay')
  const failing = call('fail')
  await assert.rejects(staying, isUnavailable)
  await failing.catch(() => {})
  await assert.rejects(call('double', 1), isUnavailable)
  assert.deepEqual(failures, ['planted'])
  assert.equal(await open().call('double', 2), 4)
})

test('a closed thread fails pending calls and accepts no session, without a failure', async () => {
  const { open, close } = create()
  const { call } = open()
  await call('double', 1)
  const staying = call('stay')
  const rejected = assert.rejects(staying, isUnavailable)
  await close()
  await rejected
  assert.throws(() => open(), isUnavailable)
  assert.deepEqual(failures, [])
})
