import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { notFound } from '../../kernel/errors.ts'
import { chooseCoding } from '../pipeline/negotiate.ts'
import type { HeaderList, Reply } from '../pipeline/reply.ts'

/** The files that the page of the console loads, as `manifest.json` names them. */
export interface ConsoleManifest {
  script: string
  style: string
  /** Further scripts that the first view needs. */
  preload: readonly string[]
}

/** The built files of the console, below one folder. */
export interface ConsoleAssets {
  folder: string
  /** Undefined if the console has not been built. */
  loadManifest(): Promise<ConsoleManifest | undefined>
  /** The reply to a request for a file; throws `not-found`. */
  serve(name: string, acceptEncoding: string | undefined): Promise<Reply>
}

/** Beside the package of the server, in a clone as in the published package. */
const DEFAULT_FOLDER = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Names contain the hash of the file, so browsers may cache it forever. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'

/** `name-HASH.ext`, without folders. */
const NAME = /^\w[\w.-]*-[\w-]+(\.[\w-]+)+$/

export function createConsoleAssets(folder = DEFAULT_FOLDER): ConsoleAssets {
  let read: { mtimeMs: number; manifest: ConsoleManifest } | undefined

  const readOrUndefined = (name: string): Promise<Buffer | undefined> =>
    readFile(join(folder, name)).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })

  return {
    folder,
    // Read again when it has changed: the console may be built while the server runs.
    async loadManifest() {
      const file = join(folder, 'manifest.json')
      try {
        const { mtimeMs } = await stat(file)
        if (read?.mtimeMs !== mtimeMs)
          read = { mtimeMs, manifest: parseManifest(await readFile(file, 'utf8')) }
        return read.manifest
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async serve(name, acceptEncoding) {
      const type = NAME.test(name) ? TYPES[extname(name)] : undefined
      if (type === undefined) throw notFound('address')
      const headers: HeaderList = ['cache-control', IMMUTABLE, 'vary', 'accept-encoding']
      const compressed =
        chooseCoding(acceptEncoding, false) === 'br' ? await readOrUndefined(`${name}.br`) : undefined
      if (compressed) headers.push('content-encoding', 'br')
      const body = compressed ?? (await readOrUndefined(name))
      if (!body) throw notFound('address')
      return { status: 200, type, headers, body }
    },
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

function parseManifest(text: string): ConsoleManifest {
  const { script, style, preload = [] } = JSON.parse(text) as Partial<ConsoleManifest>
  if (script === undefined || style === undefined)
    throw new Error('The manifest of the console names no script or no style.')
  return { script, style, preload }
}
