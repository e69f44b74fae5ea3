/** The originator of a change: a caller of the operator API, the command line, or the server itself. */
export interface Actor {
  kind: 'partner' | 'command-line' | 'server'
  /** The partner's UUID, or null if the actor is not a partner. */
  id: string | null
  name: string
  /** The trace id of the request that made the change. */
  traceId: string | null
}

/** One change, written in the transaction that makes it. */
export interface AuditEntry {
  at: number
  actor: Actor
  /** `<resource>.<event>`, such as `partner.added`. */
  action: string
  /** The identifier of the changed resource. */
  target: string
  detail: Record<string, unknown>
}

export interface RecordedEntry extends AuditEntry {
  id: number
}

export const COMMAND_LINE: Actor = { kind: 'command-line', id: null, name: 'portico', traceId: null }
export const SERVER: Actor = { kind: 'server', id: null, name: 'portico', traceId: null }

/** A page of the audit log, with its filters. */
export interface AuditPage {
  /** The id of the last entry of the previous page. */
  before: number | undefined
  limit: number
  action?: string | undefined
  /** The id or the name of an actor. */
  actor?: string | undefined
  /** A text in action, name of the actor, target or detail; ASCII letters match in either case. */
  search?: string | undefined
  from?: number | undefined
}

export interface AuditStore {
  /** Records an event that changes nothing else; changes record their entry themselves. */
  add(entry: AuditEntry): Promise<void>
  /** Newest first. */
  list(page: AuditPage): Promise<RecordedEntry[]>
}
