/** Calls of one partner to one endpoint of version 1 with the same status class, within one hour. */
export interface V1CallCount {
  partnerUuid: string
  /** A path of the catalogue. */
  path: string
  /** 2 for 200 to 299, and so on. */
  statusClass: number
  calls: number
  /** The hour is that of this time. */
  lastSeenAt: number
}

/** Calls of all partners, or of one, within a period. Periods without calls are left out. */
export interface V1Period {
  /** Its start. */
  at: number
  calls: number
  /** Calls with a 4xx or 5xx response. */
  failed: number
  /** Partners that called. */
  partners: number
}

export interface V1PeriodQuery {
  from: number
  /** A multiple of an hour. */
  periodMs: number
  /** undefined: all partners. */
  partnerUuid: string | undefined
}

/** A partner's calls to one endpoint. */
export interface V1UsageRow {
  partnerUuid: string
  partnerName: string
  path: string
  calls: number
  /** Calls with a 4xx or 5xx response. */
  failed: number
  lastSeenAt: number
}

/** Usage belongs to partners, not to sites: a partner migrates its program, not a building. */
export interface V1UsageStore {
  /** Adds to the stored counts, so that the counts of several processes add up. */
  add(tallies: readonly V1CallCount[]): Promise<void>
  listForPartner(partnerUuid: string): Promise<V1UsageRow[]>
  /** Ordered by `partnerUuid` and `path`, after the given pair. */
  list(page: {
    after: { partnerUuid: string; path: string } | undefined
    limit: number
  }): Promise<V1UsageRow[]>
  /** Oldest first, without hours that began before `from`. */
  listPeriods(query: V1PeriodQuery): Promise<V1Period[]>
  /** Deletes the calls of hours that began before a time from the periods; the sums of `list` keep them. */
  removeHoursBefore(before: number): Promise<void>
}
