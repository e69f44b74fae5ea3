import { StreamedBody } from './streamed-body.ts'

/** A body that another thread generates in pieces, each when the connection has accepted the previous one. */
export class FetchedBody extends StreamedBody {
  readonly #fetchNext: () => Promise<Uint8Array | null>
  readonly #onClose: () => void

  /** `fetchNext` resolves with null at the end. `onClose` is called once, even if nothing was sent. */
  constructor(
    known: { digest: string; bytes: number },
    fetchNext: () => Promise<Uint8Array | null>,
    onClose: () => void,
  ) {
    super(() => [], known)
    this.#fetchNext = fetchNext
    this.#onClose = onClose
  }

  override _read(): void {
    this.#fetchNext().then(
      (piece) => void (this.destroyed || this.push(piece)),
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#onClose()
    callback(error)
  }
}
