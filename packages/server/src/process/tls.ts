import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { Server } from 'node:net'
import { createSecureContext, Server as TlsServer } from 'node:tls'
import { ConfigError } from '../config/config.ts'
import type { TlsPair } from '../http/pipeline/server.ts'
import type { Log } from '../kernel/log.ts'

export interface TlsFiles {
  certFile: string
  keyFile: string
}

const POLL_INTERVAL_MS = 1_000

const loadPair = ({ certFile, keyFile }: TlsFiles): TlsPair => {
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
  // Throws if either is invalid or they do not match.
  createSecureContext(pair)
  return pair
}

export function readTls(files: TlsFiles): TlsPair {
  try {
    return loadPair(files)
  } catch (error) {
    throw new ConfigError(
      `--tls-cert and --tls-key cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/**
 * Reloads a renewed certificate without a restart. It polls, because renewal tools replace symbolic links and network
 * file systems send no events. A pair that does not match, such as a half-written one, is ignored until it does.
 */
export function watchTls(files: TlsFiles, server: Server, log: Log): () => void {
  const reload = (): void => {
    try {
      if (server instanceof TlsServer) server.setSecureContext(loadPair(files))
      log.info({ certFile: files.certFile }, 'certificate reloaded')
    } catch (err) {
      log.warn(
        { err, certFile: files.certFile },
        'the changed certificate cannot be used; keeping the old one',
      )
    }
  }
  const paths = [files.certFile, files.keyFile]
  for (const path of paths) watchFile(path, { interval: POLL_INTERVAL_MS, persistent: false }, reload)
  return () => {
    for (const path of paths) unwatchFile(path, reload)
  }
}
