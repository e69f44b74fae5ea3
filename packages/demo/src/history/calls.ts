import type { Progress } from '@portico/server/process/demo'
import type { TimeSpan } from '@portico/server/calendar/interval'
import type { StoreConfig } from '@portico/server/store/open'
import type { SeriesHistory } from '../content/index.ts'

/** A site and its series with missing readings. */
export interface MissingSeries {
  siteUuid: string
  span: TimeSpan
}

/** Calls that the history process accepts from the server. */
export interface HistoryApi {
  /** Stores missing readings that are not stored yet. */
  store(config: StoreConfig, missing: readonly MissingSeries[]): Promise<void>
  /** The readings of a site's devices in a span, which may be in the future. */
  readings(siteUuid: string, span: TimeSpan): SeriesHistory[]
}

/** Calls that the server accepts from the history process. */
export interface ServerApi {
  progress: Progress
}
