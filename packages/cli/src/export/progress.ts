import { formatBar } from '../output.ts'

/** Shows the progress of an export; only on a terminal. */
export interface ExportProgress {
  show(month: string, size: number): void
  /** Clears the line. */
  done(): void
}

export function createExportProgress(months: number): ExportProgress {
  if (!process.stderr.isTTY) return { show() {}, done() {} }
  const seen = new Set<string>()
  let shown = ''
  return {
    show(month, size) {
      seen.add(month)
      const line = `${month}  ${formatBar(seen.size / months)} ${seen.size}/${months}  ${formatSize(size)}`
      if (line === shown) return
      shown = line
      process.stderr.write(`\r\u001b[K${line}`)
    },
    done: () => void process.stderr.write('\r\u001b[K'),
  }
}

export const formatSize = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
