import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asArray, asObject, type JsonObject, parseJson } from '../json.ts'
import { type Portico, runPortico } from '../servers/portico.ts'
import { api } from './requests.ts'

/** One reading as it is sent. */
export interface ReadingRecord {
  deviceUuid: string
  metricType: string
  timestamp: string
  value: number
}

/** What a delivery says about itself. */
export interface Report {
  accepted: number
  replaced: number
  unchanged: number
  refusedCount: number
}

/**
 * A way for readings to get in. Whoever adds one (a broker, say) adds an element to `waysIn`, and every test that
 * delivers through all of them covers it.
 */
export interface IngestChannel {
  name: string
  /**
   * Delivers the readings in this order and comes back when all of them are acknowledged. A way that is told the
   * counts hands them back; one that is not hands back nothing.
   */
  send(readings: readonly ReadingRecord[]): Promise<Report | undefined>
}

/** Where readings are sent to: a running server and an operator's token for it. */
export interface Destination {
  portico: Portico
  operator: string
  /** The environment of a command that runs beside the server. */
  env?: Record<string, string>
}

export type Format = 'ndjson' | 'json' | 'csv'

const contentTypes: Record<Format, string> = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
}

/** All ways in of a running server. */
export function ingestChannels(to: Destination): IngestChannel[] {
  return [
    ...(['ndjson', 'json', 'csv'] as const).map((format) => overHttp(to, format)),
    ...(['ndjson', 'csv'] as const).map((format) => byImport(to, format)),
  ]
}

/** The readings as text of a format. */
export function write(readings: readonly ReadingRecord[], format: Format): string {
  if (format === 'json') return JSON.stringify(readings)
  if (format === 'ndjson') return readings.map((reading) => `${JSON.stringify(reading)}\n`).join('')
  const lines = readings.map(({ deviceUuid, metricType, timestamp, value }) =>
    [deviceUuid, metricType, timestamp, value].join(),
  )
  return ['deviceUuid,metricType,timestamp,value', ...lines, ''].join('\n')
}

/** One request with this text; the report of a 200. */
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

/** A store that commands are run on. */
export interface StoreFolder {
  dataDir: string
  env?: Record<string, string>
}

/** One file with this text through the command line; the report of an exit 0. */
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

/** A file through the command line; the report of an exit 0. */
export async function importFile({ dataDir, env = {} }: StoreFolder, file: string): Promise<JsonObject> {
  const result = await runPortico(['readings', 'import', file, '--json'], { dataDir, env })
  assert.equal(result.code, 0, result.stderr)
  const [report] = asArray(asObject(parseJson(result.stdout))['files'])
  return asObject(report)
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
