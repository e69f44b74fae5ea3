import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { definePage, type RunnableRoute } from '../../pipeline/route.ts'
import { routeNotFound } from '../../pipeline/problem.ts'
import { constantReply } from '../constant-document.ts'

/** The API reference's script, ready to send in each coding. */
export interface Bundle {
  /** Hash of the uncompressed script; URL-safe. */
  hash: string
  identity: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer>
  br: Uint8Array<ArrayBuffer>
}

// A clone runs the .ts files, an installed package the .js files.
const THREAD = new URL(`./bundle-thread${extname(import.meta.url)}`, import.meta.url)

/**
 * Loads the script when the API reference is first opened, in a worker thread that then ends: unpacking takes a few
 * hundred milliseconds, which must not block other requests, and the thread's memory is freed.
 */
export function lazyBundle(): () => Promise<Bundle> {
  let bundle: Promise<Bundle> | undefined
  return () => {
    bundle ??= load().catch((error: unknown) => {
      bundle = undefined
      throw error
    })
    return bundle
  }
}

async function load(): Promise<Bundle> {
  const worker = new Worker(THREAD)
  const [bundle] = (await once(worker, 'message')) as [Bundle]
  return bundle
}

/** The path changes with the content, so browsers may cache it forever. */
export const scriptPath = ({ hash }: Bundle): string => `/reference/script/${hash}.js`

export const createReferenceScriptRoute = (loadBundle: () => Promise<Bundle>): RunnableRoute =>
  definePage('/reference/script/{file}', [], async (call) => {
    const bundle = await loadBundle()
    if (call.url !== scriptPath(bundle)) throw routeNotFound()
    return constantReply(
      call,
      { hash: bundle.hash, load: (coding) => bundle[coding] },
      { type: 'text/javascript; charset=utf-8', cacheControl: 'public, max-age=31536000, immutable' },
    )
  })
