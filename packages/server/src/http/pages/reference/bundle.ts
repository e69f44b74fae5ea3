import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

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
