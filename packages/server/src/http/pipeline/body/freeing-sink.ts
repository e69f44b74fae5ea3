import { Writable } from 'node:stream'

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
      free(chunk)
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

function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
