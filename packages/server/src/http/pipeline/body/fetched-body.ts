import { Readable } from 'node:stream'
import { StreamedBody } from './streamed-body.ts'

/** A body that another thread generates. */
export interface FetchedPieces {
  /** Resolves with a piece that owns its memory, or with null at the end. */
  next(): Promise<Uint8Array | null>
  /** Called once, even if nothing was sent. */
  close(): void
}

/** A body with an ETag. Each piece is generated when the connection has accepted the previous one. */
export class FetchedBody extends StreamedBody {
  readonly #pieces: FetchedPieces

  constructor(pieces: FetchedPieces, known: { digest: string; bytes: number }) {
    super(() => [], known)
    this.#pieces = pieces
  }

  override _read(): void {
    pushNext(this, this.#pieces)
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#pieces.close()
    callback(error)
  }
}

/** A body without an ETag. Pieces are generated ahead of the connection, up to `bytesAhead` bytes. */
export class FetchedStream extends Readable {
  constructor(pieces: FetchedPieces, bytesAhead: number) {
    super({
      highWaterMark: bytesAhead,
      read() {
        pushNext(this, pieces)
      },
      destroy(error, callback) {
        pieces.close()
        callback(error)
      },
    })
  }
}

function pushNext(body: Readable, pieces: FetchedPieces): void {
  pieces.next().then(
    (piece) => void (body.destroyed || body.push(piece)),
    (error: unknown) => body.destroy(error instanceof Error ? error : new Error(String(error))),
  )
}
