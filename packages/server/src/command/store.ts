import type { AuditEntry } from '../audit/audit.ts'
import type { Command } from './command.ts'

export interface CommandStore {
  add(siteUuid: string, command: Command, entry: AuditEntry): Promise<void>
  get(siteUuid: string, deviceUuid: string, commandUuid: string): Promise<Command | undefined>
  /** Newest first; `before` is where the page before ended. */
  list(
    siteUuid: string,
    deviceUuid: string,
    page: { before: { createdAt: number; commandUuid: string } | undefined; limit: number },
  ): Promise<Command[]>
}
