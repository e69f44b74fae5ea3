import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { database as parseDatabase } from '@portico/server/config/values'
import { openStore } from '@portico/server/store/open'
import { fillStore } from './fill.ts'
import type { HttpRequest } from './saturate.ts'
import {
  type Credentials,
  type Installation,
  type InstallationOptions,
  startInstallation,
} from './installation.ts'
import { DAY_MS, makeResidence, METRICS, type Metric, type Residence, STEP_MS } from './residence.ts'

/** A server with a residence and a year of its readings. */
export interface Dataset {
  installation: Installation
  partner: Credentials
  residence: Residence
  readingCount: number
  /** The first reading, and the end of the last half hour. */
  from: number
  to: number
  /** A partner's read of one room and metric. */
  read(request: ReadRequest): HttpRequest
}

export interface ReadRequest {
  room: number
  metric: Metric
  granularity: 'hourly' | 'daily'
  from: number
  to: number
}

/** Created by the first benchmark that needs it and shared by the run, because filling it takes minutes. */
export interface SharedDataset {
  get(): Promise<Dataset>
  close(): Promise<void>
}

export function shareDataset(isSmoke: boolean): SharedDataset {
  let made: Promise<Dataset & { close(): Promise<void> }> | undefined
  return {
    get: () => (made ??= makeDataset(isSmoke ? { rooms: 4, days: 10 } : { rooms: 500, days: 365 })),
    async close() {
      await (await made)?.close()
    },
  }
}

interface YearOptions extends InstallationOptions {
  rooms: number
  days: number
  /** Another dataset whose residence and readings are reused. */
  like?: Pick<Dataset, 'residence' | 'to'>
}

export async function makeDataset({ rooms, days, like, ...options }: YearOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  const data = join(folder, 'data')
  const residence = like?.residence ?? makeResidence(rooms)
  const { siteUuid, spaceUuids } = residence
  const to = like?.to ?? Math.floor(Date.now() / STEP_MS) * STEP_MS
  const from = to - days * DAY_MS
  const count = (days * DAY_MS) / STEP_MS
  mkdirSync(data, { mode: 0o700 })
  const store = openStore({
    database: parseDatabase(options.database ?? `sqlite:${join(data, 'portico.db')}`),
    rawRetentionMs: undefined,
  })
  try {
    await store.migrate()
    await fillStore(store, residence, { from, count })
  } finally {
    await store.close()
  }
  const installation = await startInstallation(folder, options)
  const partner = await installation.addPartner(siteUuid)
  const headers = { authorization: `Bearer ${await installation.tokenFor(partner)}`, siteid: siteUuid }
  return {
    installation,
    partner,
    residence,
    readingCount: rooms * METRICS.length * count,
    from,
    to,
    read: ({ room, metric, granularity, ...range }: ReadRequest): HttpRequest => ({
      method: 'GET',
      path: `/v2/spaces/${spaceUuids[room]}/aggregate/${metric}/${granularity}?fromDateTime=${iso(range.from)}&toDateTime=${iso(range.to)}`,
      headers,
    }),
    async close() {
      await installation.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

const iso = (ms: number): string => new Date(ms).toISOString()
