import { Readable } from 'node:stream'

/** Buffered bytes of a stream that its client does not read fast enough. */
const HIGH_WATER_MARK_BYTES = 16 * 1024

/** A body without an end: its text is sent as it is generated. It is neither compressed nor cached. */
export class LiveBody extends Readable {
  readonly #text: AsyncGenerator<string>
  #isReading = false

  /** `onEnd` is called when the body has ended or the connection is closed. */
  constructor(text: AsyncGenerator<string>, onEnd: () => void) {
    super({ highWaterMark: HIGH_WATER_MARK_BYTES, encoding: 'utf8' })
    this.#text = text
    this.once('close', onEnd)
  }

  override _read(): void {
    if (this.#isReading) return
    this.#isReading = true
    void this.#pushNext()
  }

  async #pushNext(): Promise<void> {
    try {
      const { value, done } = await this.#text.next()
      this.#isReading = false
      this.push(done ? null : value)
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    void this.#endText()
    callback(error)
  }

  /** The generator may be waiting for events; it ends with its next step. */
  async #endText(): Promise<void> {
    await this.#text.return(undefined).catch(() => {})
  }
}
