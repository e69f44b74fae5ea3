/** What a device, or a gateway for all of its devices, last said of itself. */
export interface Presence {
  isOnline: boolean
  /** When it was heard. */
  at: number
}
