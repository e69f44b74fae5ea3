/** What a device, or a gateway for all of its devices, last said of itself. */
export interface Presence {
  isOnline: boolean
  /** When it was heard. */
  at: number
}

export interface PresenceStore {
  /** Durable when it resolves. A repeated one counts only where it says something else than what is known. */
  set(siteUuid: string, senderUuid: string, presence: Presence, isRepeated: boolean): Promise<void>
  /** By the UUID of a device or a gateway: all of the site, or those named. */
  list(siteUuid: string, senderUuids?: readonly string[]): Promise<ReadonlyMap<string, Presence>>
  /** Connections end with the process that holds them: who was online may not be any more. */
  forgetOnline(): Promise<void>
}
