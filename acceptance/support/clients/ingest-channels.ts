import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asArray, asObject, type JsonObject, parseJson } from '../json.ts'
import { type Portico, runPortico } from '../servers/portico.ts'
import { api } from './requests.ts'

/** One reading as sent. */
export interface ReadingRecord {
  deviceUuid: string
  metricType: string
  timestamp: string
  value: number
}

/** The counts in the report of a delivery. */
export interface Report {
  accepted: number
  replaced: number
  unchanged: number
  refusedCount: number
}

/**
 * A channel through which readings are ingested. Tests that deliver through all channels cover every element of
 * `ingestChannels`.
 */
export interface IngestChannel {
  name: string
  /**
   * Delivers the readings in this order; resolves when all are acknowledged, with the report if the channel has one.
   */
  send(readings: readonly ReadingRecord[]): Promise<Report | undefined>
}

/** Destination of readings: a running server and an operator's token for it. */
export interface Destination {
  portico: Portico
  operator: string
  /** Environment of a command that runs next to the server. */
  env?: Record<string, string>
}

export type Format = 'ndjson' | 'json' | 'csv'

const contentTypes: Record<Format, string> = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
}

/** All ingest channels of a running server. */
export function ingestChannels(to: Destination): IngestChannel[] {
  return [
    ...(['ndjson', 'json', 'csv'] as const).map((format) => overHttp(to, format)),
    ...(['ndjson', 'csv'] as const).map((format) => byImport(to, format)),
  ]
}

/** The readings as text in a format. */
export function write(readings: readonly ReadingRecord[], format: Format): string {
  if (format === 'json') return JSON.stringify(readings)
  if (format === 'ndjson') return readings.map((reading) => `${JSON.stringify(reading)}\n`).join('')
  const lines = readings.map(({ deviceUuid, metricType, timestamp, value }) =>
    [deviceUuid, metricType, timestamp, value].join(),
  )
  return ['deviceUuid,metricType,timestamp,value', ...lines, ''].join('\n')
}

/** Sends this text in one request; returns the report of a 200. */
export async function postReadings(to: Destination, format: Format, body: string): Promise<JsonObject> {
  const answer = await api(to.portico, '/operator/readings', {
    method: 'POST',
    token: to.operator,
    body,
    headers: { 'content-type': contentTypes[format] },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

/** The store that commands run on. */
export interface StoreFolder {
  dataDir: string
  env?: Record<string, string>
}

/** Imports this text as one file on the command line; returns the report of an exit code of 0. */
export async function importReadings(to: StoreFolder, format: Format, text: string): Promise<JsonObject> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-acceptance-'))
  const file = join(folder, `readings.${format}`)
  await writeFile(file, text)
  try {
    return await importFile(to, file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Imports a file on the command line; returns the report. The exit code is 1 if a line was refused. */
export async function importFile({ dataDir, env = {} }: StoreFolder, file: string): Promise<JsonObject> {
  const result = await runPortico(['readings', 'import', file, '--json'], { dataDir, env })
  assert.equal(result.stderr, '')
  const report = asObject(asArray(asObject(parseJson(result.stdout))['files'])[0])
  assert.equal(result.code, report['refusedCount'] === 0 ? 0 : 1)
  return report
}

export function readReport(json: JsonObject): Report {
  const { accepted, replaced, unchanged, refusedCount } = json
  return {
    accepted: Number(accepted),
    replaced: Number(replaced),
    unchanged: Number(unchanged),
    refusedCount: Number(refusedCount),
  }
}

function overHttp(to: Destination, format: Format): IngestChannel {
  return {
    name: `HTTP ${format}`,
    send: async (readings) => readReport(await postReadings(to, format, write(readings, format))),
  }
}

function byImport(to: Destination, format: Format): IngestChannel {
  const { dataDir } = to.portico
  const { env = {} } = to
  return {
    name: `portico readings import, ${format}`,
    send: async (readings) =>
      readReport(await importReadings({ dataDir, env }, format, write(readings, format))),
  }
}
