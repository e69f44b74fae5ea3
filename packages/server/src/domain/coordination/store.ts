/** What of several instances on one store one does for all. Whoever falls silent loses it. */
export interface LeaseStore {
  /** Takes it, or keeps it: answers whether it is the holder's now. */
  acquire(name: string, holder: string, now: number, until: number): Promise<boolean>
  /** Those whose name begins so and that nobody holds. */
  listFree(prefix: string, now: number): Promise<string[]>
  /** Free for others at once. */
  release(name: string, holder: string): Promise<void>
  /** It is not wanted any more. */
  remove(name: string, holder: string): Promise<void>
}
