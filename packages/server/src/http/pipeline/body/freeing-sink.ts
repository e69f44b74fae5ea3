import { Writable } from 'node:stream'
import { freeMemory } from '../../../kernel/array-memory.ts'

/**
 * Writes chunks that nothing else uses, and frees the memory of each once it is written. Otherwise, the garbage collector
 * has to find it: every few megabytes, which delays other requests.
 */
export class FreeingSink extends Writable {
  readonly #target: Writable

  constructor(target: Writable) {
    super()
    this.#target = target
    target.once('close', () => this.destroy())
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#target.write(chunk, (error) => {
      // If the target has failed, it may still use the memory.
      if (error) return void this.destroy()
      freeMemory(chunk)
      callback()
    })
  }

  override _final(callback: () => void): void {
    this.#target.end(callback)
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.writableFinished) this.#target.destroy(error ?? undefined)
    callback(error)
  }
}
