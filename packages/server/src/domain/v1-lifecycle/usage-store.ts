/** Calls of one partner to one endpoint of version 1 that were answered alike. */
export interface V1Tally {
  partnerUuid: string
  /** Of the catalogue. */
  path: string
  /** 2 for 200 to 299, and so on. */
  statusClass: number
  calls: number
  lastSeenAt: number
}

/** What became of a partner's calls to one endpoint. */
export interface V1Use {
  partnerUuid: string
  partnerName: string
  path: string
  calls: number
  /** Those of them that were answered with a 4xx or 5xx. */
  failed: number
  lastSeenAt: number
}

/** Usage belongs to partners, not to sites: a partner moves its program, not a building. */
export interface V1UsageStore {
  /** Adds to what is stored, so that several processes add up. */
  add(tallies: readonly V1Tally[]): Promise<void>
  listForPartner(partnerUuid: string): Promise<V1Use[]>
  /** In order of `partnerUuid` and `path`, after the given ones. */
  list(page: { after: { partnerUuid: string; path: string } | undefined; limit: number }): Promise<V1Use[]>
}
