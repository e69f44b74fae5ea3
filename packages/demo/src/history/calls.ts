import type { Progress } from '@portico/server/process/demo'
import type { TimeSpan } from '@portico/server/calendar/interval'
import type { ForwardWrite, StoreConfig } from '@portico/server/store/open'
import type { SeriesHistory } from '../content/index.ts'

/** Of which site what is missing. */
export interface MissingSeries {
  siteUuid: string
  span: TimeSpan
}

/** What the history's process does for the server. */
export interface HistoryApi {
  /** Stores what is missing and not there yet. */
  store(config: StoreConfig, missing: readonly MissingSeries[]): Promise<void>
  /** The readings of a site's devices, those to come included. */
  readings(siteUuid: string, span: TimeSpan): SeriesHistory[]
}

/** What the server lets the history's process do. */
export interface ServerApi {
  progress: Progress
  /** Passes a write to the server's writer: a second writer would compete with it for the file. */
  write: ForwardWrite
}
