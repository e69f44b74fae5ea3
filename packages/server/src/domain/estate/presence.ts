/** The last presence that a device, or a gateway for all of its devices, reported. */
export interface Presence {
  isOnline: boolean
  /** When it was received. */
  at: number
}

export interface PresenceStore {
  /** Durable when it resolves. A repeated report is stored only if it differs from the stored state. */
  set(siteUuid: string, senderUuid: string, presence: Presence, isRepeated: boolean): Promise<void>
  /** Presence by device or gateway UUID: of the whole site, or of the given ones. */
  list(siteUuid: string, senderUuids?: readonly string[]): Promise<ReadonlyMap<string, Presence>>
  /** Resets all online states after a restart: connections ended with the process that held them. */
  forgetOnline(): Promise<void>
}
