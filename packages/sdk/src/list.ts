import { Call } from './call.ts'
import type { Answer, ApiRequest, CallOptions, Send } from './send.ts'

export interface Page<T> {
  data: T[]
  /** Pass it as `cursor` to get the next page; null on the last one. */
  nextCursor: string | null
}

/** The body of a list; readings have `timeSeries` instead of `data`. */
interface ListBody<T> {
  data?: T[]
  timeSeries?: T[]
  pagination: { nextCursor: string | null }
}

/** A paged list, whose pages are requested as they are iterated: `for await (const space of site.spaces.list())`. */
export class List<T> implements AsyncIterable<T> {
  readonly #send: Send
  readonly #request: ApiRequest
  readonly #options: CallOptions | undefined

  constructor(send: Send, request: ApiRequest, options: CallOptions | undefined) {
    this.#send = send
    this.#request = { ...request, query: { limit: 1000, ...request.query } }
    this.#options = options
  }

  /** One page: the first, or the one at `cursor`. */
  page(): Call<Page<T>> {
    return new Call(this.#load(undefined, this.#options))
  }

  /** All records. */
  toArray(): Promise<T[]> {
    return this.#send.sequence(this.#options, async (options) => {
      const all: T[] = []
      for await (const { data } of this.#pages(options)) all.push(...data)
      return all
    })
  }

  /** All pages, one after another. */
  pages(): AsyncGenerator<Page<T>, void, undefined> {
    return this.#pages(this.#options)
  }

  async *#pages(options: CallOptions | undefined): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined
    for (;;) {
      const { data: page } = await this.#load(cursor, options)
      yield page
      if (page.nextCursor === null) return
      cursor = page.nextCursor
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }

  async #load(cursor: string | undefined, options: CallOptions | undefined): Promise<Answer<Page<T>>> {
    const { query } = this.#request
    const request = cursor === undefined ? this.#request : { ...this.#request, query: { ...query, cursor } }
    const answer = await this.#send<ListBody<T>>(request, options)
    const { data, timeSeries, pagination } = answer.data
    return { ...answer, data: { data: data ?? timeSeries ?? [], nextCursor: pagination.nextCursor } }
  }
}
