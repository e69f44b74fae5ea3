import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

/** Records in one piece of a body: about 70 KB of devices, generated in less than a millisecond. */
export const RECORDS_PER_PIECE = 100

/** Generates the text of a body in pieces; each call starts from the beginning and yields the same text. */
export type Pieces = () => Iterable<string>

/** A body of `count` records: a string if it fits into one piece, otherwise a stream. */
export const toBody = (pieces: Pieces, count: number): string | StreamedBody =>
  count <= RECORDS_PER_PIECE ? [...pieces()].join('') : new StreamedBody(pieces)

/** A body whose digest does not have to be computed from its text. */
interface KnownBody {
  digest: string
  /** Approximate. */
  bytes: number
}

/**
 * A body that is never in memory as a whole: each piece is generated once the connection has accepted the previous
 * one.
 */
export class StreamedBody extends Readable {
  readonly #pieces: Pieces
  readonly #known: KnownBody | undefined
  #iterator: Iterator<string> | undefined
  #left: number | undefined

  constructor(pieces: Pieces, known?: KnownBody) {
    super()
    this.#pieces = pieces
    this.#known = known
  }

  /** Generates the body once, before it is sent, to compute its ETag and Content-Length, unless its digest is known. */
  async measure(): Promise<{ digest: string; bytes: number; isExact: boolean }> {
    if (this.#known) return { ...this.#known, isExact: false }
    const hash = createHash('sha1')
    let bytes = 0
    for (const piece of this.#pieces()) {
      hash.update(piece)
      bytes += Buffer.byteLength(piece)
      await new Promise<void>(runInTurn)
    }
    this.#left = bytes
    return { digest: hash.digest('base64url'), bytes, isExact: true }
  }

  /** Sends no body, as for HEAD and 304. */
  skip(): void {
    this.#iterator = [][Symbol.iterator]()
    this.#left = undefined
  }

  override _read(): void {
    runInTurn(() => this.#pushNext())
  }

  #pushNext(): void {
    if (this.destroyed) return
    try {
      this.#iterator ??= this.#pieces()[Symbol.iterator]()
      const { value, done } = this.#iterator.next()
      if (!done) this.#left = this.#left === undefined ? undefined : this.#left - Buffer.byteLength(value)
      // With a wrong Content-Length, the client would read part of the next response as this body.
      if (done && (this.#left ?? 0) !== 0) throw new Error('A streamed body changed while it was sent.')
      this.push(done ? null : value)
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

const waiting: (() => void)[] = []

/**
 * Runs at most one piece, of any body, per event-loop iteration: many long lists delay other requests no more than
 * one.
 */
function runInTurn(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(runNext)
}

function runNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(runNext)
}
