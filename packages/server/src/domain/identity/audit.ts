/** Who made a change: a caller of the operator API, the command line, or the server on its own. */
export interface Actor {
  kind: 'partner' | 'command-line' | 'server'
  /** The partner's UUID, or null where there is none. */
  id: string | null
  name: string
  /** The request that carried the change. */
  traceId: string | null
}

/** One change, written in the transaction that makes it. */
export interface AuditEntry {
  at: number
  actor: Actor
  /** `<thing>.<what happened>`, such as `partner.added`. */
  action: string
  /** The identifier of the thing that changed. */
  target: string
  detail: Record<string, unknown>
}

export interface RecordedEntry extends AuditEntry {
  id: number
}

export const COMMAND_LINE: Actor = { kind: 'command-line', id: null, name: 'portico', traceId: null }
export const SERVER: Actor = { kind: 'server', id: null, name: 'portico', traceId: null }

export interface AuditStore {
  /** Newest first; `before` is the id of the last entry of the page before. */
  list(page: { before: number | undefined; limit: number }): Promise<RecordedEntry[]>
}
