import type { ProgressLine } from '../command.ts'
import { formatBar } from '../output.ts'

/** Shows the progress of an export: returns a function that shows the bytes written for a month. */
export function createExportProgress(
  line: ProgressLine,
  months: number,
): (month: string, size: number) => void {
  const seen = new Set<string>()
  return (month, size) => {
    seen.add(month)
    line.show(`${month}  ${formatBar(seen.size / months)} ${seen.size}/${months}  ${formatSize(size)}`)
  }
}

export const formatSize = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
