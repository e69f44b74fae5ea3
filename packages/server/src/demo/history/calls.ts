import type { Progress } from '../../demo-port.ts'
import type { Span } from '../../reading/window-value.ts'
import type { HandWrite, StoreConfig } from '../../store/open.ts'
import type { SeriesHistory } from '../content/index.ts'

/** Of which site what is missing. */
export interface Missing {
  siteUuid: string
  span: Span
}

/** What the history's process does for the server. */
export interface HistoryCalls {
  /** Stores what is missing and not there yet. */
  store(config: StoreConfig, missing: readonly Missing[]): Promise<void>
  /** The readings of a site's devices, those to come included. */
  readings(siteUuid: string, span: Span): SeriesHistory[]
}

/** What the server lets the history's process do. */
export interface ServerCalls {
  progress: Progress
  /** Passes a write to the server's writer: a second writer would compete with it for the file. */
  write: HandWrite
}
