import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** The console's script, ready to send in each coding. */
export interface Bundle {
  /** Of the script itself, safe in an address. */
  hash: string
  identity: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer>
  br: Uint8Array<ArrayBuffer>
}

// A clone runs the .ts files, an installed package the .js ones.
const THREAD = new URL(`./bundle-thread${extname(import.meta.url)}`, import.meta.url)

/**
 * Loads the script when somebody first opens the console, in a thread that then ends: unpacking it takes a few hundred
 * milliseconds, which no other request waits for, and the modules around it are gone with the thread.
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
