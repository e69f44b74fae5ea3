import { Call } from './call.ts'
import { List } from './list.ts'
import type { CallOptions, Query, Send } from './send.ts'

/** Calls that concern one site. */
export class SiteCalls {
  protected readonly send: Send
  protected readonly siteUuid: string

  constructor(send: Send, siteUuid: string) {
    this.send = send
    this.siteUuid = siteUuid
  }

  protected read<T>(path: string, query: Query, options: CallOptions | undefined): Call<T> {
    return new Call(this.send<T>({ method: 'GET', path, query, siteId: this.siteUuid }, options))
  }

  protected readList<T>(path: string, query: object, options: CallOptions | undefined): List<T> {
    const request = { method: 'GET', path, query: query as Query, siteId: this.siteUuid }
    return new List<T>(this.send, request, options)
  }
}
