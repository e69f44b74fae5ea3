import type { Presence } from './presence.ts'

export interface PresenceStore {
  /** Durable when it resolves. A repeated one counts only where it says something else than what is known. */
  set(siteUuid: string, unitUuid: string, presence: Presence, isRepeated: boolean): Promise<void>
  /** By the UUID of a device or a gateway: all of the site, or those named. */
  list(siteUuid: string, unitUuids?: readonly string[]): Promise<ReadonlyMap<string, Presence>>
  /** Connections end with the process that holds them: who was online may not be any more. */
  forgetOnline(): Promise<void>
}
