import type { V1Usage } from '@portico/sdk'

const DAY_MS = 86_400_000

/** Days without a call after which an endpoint counts as moved. */
export const QUIET_DAYS = 7

/** How far a partner has moved away from version 1. */
export interface MigrationProgress {
  /** Endpoints that were ever called, the most recent call first. */
  called: V1Usage[]
  /** Of these, the ones that were called in the last days. */
  active: V1Usage[]
  /** Endpoints that were never called. */
  unused: V1Usage[]
  /** Share of the called endpoints that are no longer called, from 0 to 1; undefined if none was ever called. */
  movedShare: number | undefined
  lastSeenAt: string | undefined
  /** The next end of an endpoint that is still called. */
  nextSunset: V1Usage | undefined
}

export const isActive = ({ lastSeenAt }: V1Usage, now: number): boolean =>
  lastSeenAt !== null && now - Date.parse(lastSeenAt) < QUIET_DAYS * DAY_MS

export function toProgress(usage: readonly V1Usage[], now: number): MigrationProgress {
  const called = usage
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => (b.lastSeenAt ?? '').localeCompare(a.lastSeenAt ?? ''))
  const active = called.filter((endpoint) => isActive(endpoint, now))
  const ending = active
    .filter(({ sunsetAt }) => sunsetAt !== null)
    .toSorted((a, b) => (a.sunsetAt ?? '').localeCompare(b.sunsetAt ?? ''))
  return {
    called,
    active,
    unused: usage.filter(({ calls }) => calls === 0),
    movedShare: called.length === 0 ? undefined : (called.length - active.length) / called.length,
    lastSeenAt: called[0]?.lastSeenAt ?? undefined,
    nextSunset: ending[0],
  }
}

/** The parameters of a version 2 call, besides the path that replaces an endpoint. */
interface Parameters {
  metric?: string
  query?: (today: string) => Record<string, string>
  note: string
}

const lastMonth = (today: string): Record<string, string> => ({
  fromDateTime: addDays(today, -30),
  toDateTime: today,
})
const thisMonth = (today: string): Record<string, string> => ({
  interval: 'P1M',
  fromDateTime: `${today.slice(0, 7)}-01`,
})

const PARAMETERS: Readonly<Record<string, Parameters>> = {
  '/spaces/details/{spaceId}': {
    note: 'The overview also has the consumption of today, yesterday and this month, the climate and the devices.',
  },
  '/spaces/utilities/{spaceId}': {
    metric: 'electricity',
    note: 'One call for each metric type. It returns the last 24 hours; version 1 returned the last full hour.',
  },
  '/spaces/utilities/{spaceId}/history': {
    metric: 'electricity',
    query: lastMonth,
    note: 'from and to become fromDateTime and toDateTime. One call for each metric type.',
  },
  '/spaces/utilities/{spaceId}/monthly': {
    metric: 'electricity',
    query: (today) => ({ interval: 'P1M', fromDateTime: `${addDays(today, -335).slice(0, 7)}-01` }),
    note: 'Months are windows of P1M. Version 1 returned the last 12 by default.',
  },
  '/spaces/multiSensor/{spaceId}': {
    metric: 'temperature',
    note: 'One call for each metric type. The newest value of every metric is in environment of the overview.',
  },
  '/spaces/multiSensor/{spaceId}/history': {
    metric: 'temperature',
    query: lastMonth,
    note: 'from and to become fromDateTime and toDateTime. Each day has its mean, min and max.',
  },
  '/spaces/performance/{spaceId}': {
    metric: 'performance',
    query: thisMonth,
    note: 'The score is the metric type performance. A window of P1M is a month.',
  },
  '/spaces/utilities/performance/{spaceId}': {
    metric: 'performance',
    query: thisMonth,
    note: 'components of each window has the score of each utility.',
  },
}

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

/** Identifiers of version 1 and version 2 for the same records. */
export interface Identifiers {
  site?: { id: number; uuid: string } | undefined
  building?: { id: number; uuid: string } | undefined
  space?: { id: number; uuid: string } | undefined
}

/** The address of an endpoint of version 1 with identifiers; a placeholder remains if there is none. */
export const toV1Path = (path: string, { site, building, space }: Identifiers): string =>
  path
    .replace('{siteId}', String(site?.id ?? '{siteId}'))
    .replace('{buildingId}', String(building?.id ?? '{buildingId}'))
    .replace('{spaceId}', String(space?.id ?? '{spaceId}'))

/** The request of version 2 that replaces an endpoint for one space. */
export interface Replacement {
  path: string
  query: Record<string, string>
  note: string
}

export function toReplacement(
  { path, replacement }: Pick<V1Usage, 'path' | 'replacement'>,
  { space }: Identifiers,
  today: string,
): Replacement | undefined {
  if (replacement === null) return undefined
  const { metric, query, note } = PARAMETERS[path] ?? { note: '' }
  return {
    path: replacement
      .replace('{spaceuuid}', space?.uuid ?? '{spaceuuid}')
      .replace('{metrictype}', metric ?? '{metrictype}'),
    query: query?.(today) ?? {},
    note,
  }
}
