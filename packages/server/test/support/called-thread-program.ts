import { parentPort } from 'node:worker_threads'
import { overPort } from '../../src/kernel/called-thread.ts'
import { invalidField } from '../../src/kernel/errors.ts'
import { createIpc } from '../../src/kernel/ipc.ts'

/** Calls of the program, for tests of threads. */
export interface ProgramApi {
  double(value: number): number
  reverse(bytes: Uint8Array): Uint8Array
  askBack(): Promise<string>
  refuse(): void
  stay(): Promise<void>
  fail(): void
  close(): Promise<void>
}

const api: ProgramApi = {
  double: (value) => value * 2,
  reverse: (bytes) => bytes.toReversed(),
  askBack: () => host.call('name'),
  refuse() {
    throw invalidField('name', 'required', 'is required')
  },
  stay: () => new Promise<void>(() => {}),
  fail() {
    setImmediate(() => {
      throw new Error('planted')
    })
  },
  async close() {},
}

if (!parentPort) throw new Error('called-thread-program runs as a worker only')
const host = createIpc<{ name(): string }>(overPort(parentPort), api)
