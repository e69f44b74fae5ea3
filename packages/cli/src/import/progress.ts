import { statSync } from 'node:fs'

/**
 * Shows how much of a file has been read; only on a terminal. A resumed import reads the file from the beginning and
 * skips what is stored, so the bar starts at `resumedAt` bytes and waits there.
 */
export function createProgress(file: string, resumedAt = 0): (bytes: number) => void {
  const isShown = process.stderr.isTTY && file !== '-'
  if (!isShown) return () => {}
  const total = statSync(file).size
  let shown = -1
  const show = (bytes: number): void => {
    const percent = total === 0 ? 100 : Math.floor((Math.max(bytes, resumedAt) / total) * 100)
    if (percent === shown) return
    shown = percent
    const bar = '█'.repeat(Math.floor(percent / 4)).padEnd(25, '░')
    process.stderr.write(`\r${file}  ${bar} ${percent} %${percent === 100 ? '\n' : ''}`)
  }
  show(0)
  return show
}
