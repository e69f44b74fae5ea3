import { statSync } from 'node:fs'
import type { ProgressLine } from '../command.ts'
import { formatBar } from '../output.ts'

/** Shows how much of a file is stored. */
export interface Progress {
  show(bytes: number): void
  /** Ends the line of the bar, which is full if the import is complete. */
  end(isComplete: boolean): void
}

/** A resumed import reads the file from the beginning and skips what is stored: the bar waits at `resumedAt` bytes. */
export function createProgress(line: ProgressLine, file: string, resumedAt = 0): Progress {
  if (file === '-') return { show() {}, end() {} }
  const total = statSync(file).size
  const draw = (percent: number): void => line.show(`${file}  ${formatBar(percent / 100)} ${percent} %`)
  // The last lines may still be in memory although the whole file has been read.
  const show = (bytes: number): void => draw(Math.min(99, Math.floor((bytes / Math.max(total, 1)) * 100)))
  show(resumedAt)
  return {
    show,
    end(isComplete) {
      if (isComplete) draw(100)
      line.end()
    },
  }
}
