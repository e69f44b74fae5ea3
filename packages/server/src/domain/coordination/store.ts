/** Leases for work that one of several instances on a shared store does. A lease expires unless it is renewed. */
export interface LeaseStore {
  /** Acquires or renews a lease. Returns whether `holder` has it now. */
  acquire(name: string, holder: string, now: number, until: number): Promise<boolean>
  /** Names with this prefix of leases without a holder. */
  listFree(prefix: string, now: number): Promise<string[]>
  /** Makes the lease available to others immediately. */
  release(name: string, holder: string): Promise<void>
  /** Deletes a lease that is no longer needed. */
  remove(name: string, holder: string): Promise<void>
}
