import {
  ConnectionError,
  GoneError,
  Portico,
  type PorticoOptions,
  RateLimitError,
  ServerError,
  type Site,
  type SiteEvent,
  TimeoutError,
  today,
} from '../index.ts'
import { delay } from '../timing.ts'

export interface MirrorOptions {
  folder: string
  /** Length of the windows. */
  interval?: 'PT15M' | 'PT30M' | 'PT1H' | undefined
  /** The first month, as `2026-01`; eleven months before the current one if absent. */
  from?: string | undefined
  /** Whether to end when the folder is up to date. */
  isOnce?: boolean | undefined
  signal?: AbortSignal | undefined
  client?: PorticoOptions | undefined
}

/** The state of a mirror. The file is replaced atomically, so that a killed mirror continues where it stopped. */
interface MirrorState {
  interval: string
  from: string
  /** All events up to this number are in the files or in `pending`. */
  after: number
  /** Months to read again. */
  pending: string[]
}

const TYPES = ['day.closed', 'data.corrected', 'inventory.changed'] as const
const LONG_POLL_S = 25
const [FIRST_WAIT_MS, LAST_WAIT_MS] = [1_000, 60_000]
/** Consecutive failures after which `--once` still tries again. */
const MAX_FAILURES = 6

/**
 * Keeps a folder with the windows of a site’s spaces, one Parquet file per month, in sync with the server, up to the
 * last complete day. A file is replaced atomically, so that a reader never sees half a file.
 */
export async function runMirror(print: (line: string) => void, options: MirrorOptions): Promise<void> {
  const { signal, isOnce = false } = options
  const portico = new Portico(options.client)
  const site = portico.site()
  const { timeZone = 'UTC' } =
    (await portico.account({ signal })).sites.find(({ siteUuid }) => siteUuid === site.siteId) ?? {}
  const files = await openFolder(`${options.folder}/site=${site.siteId}`)
  let state = await files.load()
  const interval = options.interval ?? state?.interval ?? 'PT1H'
  const from = options.from ?? state?.from ?? addMonths(today(timeZone).from.slice(0, 7), -11)
  if (state?.interval !== interval || state.from !== from) state = undefined
  let failures = 0
  for (;;) {
    try {
      state ??= await begin(site, { interval, from }, timeZone, files, signal)
      const month = state.pending[0]
      if (month !== undefined) {
        await readMonth(site, month, interval, timeZone, files, signal)
        state = { ...state, pending: state.pending.slice(1) }
        await files.save(state)
        print(`month ${month} is up to date`)
      } else {
        const { data, pagination } = await site.events.page(
          { after: state.after, types: TYPES, limit: 1000 },
          isOnce
            ? { signal }
            : { signal, headers: { prefer: `wait=${LONG_POLL_S}` }, timeoutMs: (LONG_POLL_S + 15) * 1000 },
        )
        const changed = new Set(data.flatMap((event) => findMonths(event, from, timeZone)))
        if (changed.size > 0 || pagination.nextAfter !== state.after) {
          state = { ...state, after: pagination.nextAfter, pending: [...changed].toSorted() }
          await files.save(state)
        }
        if (isOnce && changed.size === 0 && !pagination.hasMore) return
      }
      failures = 0
    } catch (error) {
      if (error instanceof GoneError) {
        print('Events that were missed are no longer kept: all months are read again.')
        state = undefined
      } else if (isPassing(error) && (!isOnce || failures < MAX_FAILURES)) {
        print(`${(error as Error).message}; trying again`)
        await delay(Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures), signal)
        failures += 1
      } else throw error
    }
  }
}

/** Events for changes made while the months are read have higher numbers, so these months are read again afterwards. */
async function begin(
  site: Site,
  settings: Pick<MirrorState, 'interval' | 'from'>,
  timeZone: string,
  files: MirrorFolder,
  signal: AbortSignal | undefined,
): Promise<MirrorState> {
  const after = await site.events.newest({}, { signal })
  const state = { ...settings, after, pending: listMonths(settings.from, timeZone) }
  // Files of months before the first one would no longer be updated.
  await files.removeOthers(state.pending.map(toFileName))
  await files.save(state)
  return state
}

/** The months whose values an event affects. */
function findMonths(event: SiteEvent, from: string, timeZone: string): string[] {
  if (event.type === 'day.closed') return [event.data.date.slice(0, 7)].filter((month) => month >= from)
  if (event.type === 'data.corrected') {
    const last = new Date(Date.parse(event.data.toDateTime.slice(0, 10)) - 1).toISOString().slice(0, 7)
    return listMonths(from, timeZone).filter(
      (month) => month >= event.data.fromDateTime.slice(0, 7) && month <= last,
    )
  }
  // An export contains the spaces that exist now.
  if (event.type === 'inventory.changed' && (event.data.spaceUuids.length > 0 || !event.data.isComplete))
    return listMonths(from, timeZone)
  return []
}

/** Months up to that of the last day that is over. */
function listMonths(from: string, timeZone: string): string[] {
  const end = today(timeZone).from
  const months: string[] = []
  for (let month = from; `${month}-01` < end; month = addMonths(month, 1)) months.push(month)
  return months
}

function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7)
}

async function readMonth(
  site: Site,
  month: string,
  interval: string,
  timeZone: string,
  files: MirrorFolder,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [next, now] = [`${addMonths(month, 1)}-01`, today(timeZone).from]
  const rows = await site.export.windows(
    {
      from: `${month}-01`,
      to: next < now ? next : now,
      interval: interval as 'PT1H',
      format: 'parquet',
    },
    { signal },
  )
  try {
    await files.replace(toFileName(month), rows)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    // The connection was lost; a disk error would have a code.
    if ((error as { code?: unknown }).code !== undefined) throw error
    throw new ConnectionError(`The export of ${month} broke off`, error)
  }
}

const toFileName = (month: string): string => `month=${month}.parquet`

interface MirrorFolder {
  load(): Promise<MirrorState | undefined>
  save(state: MirrorState): Promise<void>
  replace(name: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Removes the files of months that are not among these names. */
  removeOthers(names: readonly string[]): Promise<void>
}

async function openFolder(folder: string): Promise<MirrorFolder> {
  const { mkdir, open, readdir, readFile, rename, rm } = await import('node:fs/promises')
  await mkdir(folder, { recursive: true })
  const stateFile = `${folder}/mirror.json`
  const sync = async (path: string): Promise<void> => {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
  const replace: MirrorFolder['replace'] = async (name, content) => {
    const part = `${folder}/${name}.part`
    const handle = await open(part, 'w')
    try {
      for await (const bytes of content) await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(part, `${folder}/${name}`)
    await sync(folder)
  }
  return {
    replace,
    async removeOthers(names) {
      for (const name of await readdir(folder))
        if (/^month=.*\.parquet(\.part)?$/.test(name) && !names.includes(name)) await rm(`${folder}/${name}`)
    },
    async load() {
      try {
        return JSON.parse(await readFile(stateFile, 'utf8')) as MirrorState
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ENOENT') return undefined
        throw error
      }
    },
    async save(state) {
      const bytes = new TextEncoder().encode(`${JSON.stringify(state)}\n`)
      // oxlint-disable-next-line typescript/require-await -- one chunk
      await replace(
        'mirror.json',
        (async function* () {
          yield bytes
        })(),
      )
    },
  }
}

const isPassing = (error: unknown): boolean =>
  [ConnectionError, TimeoutError, ServerError, RateLimitError].some((Class) => error instanceof Class)
