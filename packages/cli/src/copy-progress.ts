type Step = 'copying' | 'verifying'

const DONE: Record<Step, string> = { copying: 'copied', verifying: 'compared' }

/** Shows the progress of each table: drawn on a terminal, one line per table otherwise. */
export function createCopyProgress(
  note: (line: string) => void,
): (step: Step, table: string, share: number) => void {
  if (!process.stderr.isTTY) {
    return (step, table, share) => {
      if (share === 1) note(`${DONE[step]} ${table}`)
    }
  }
  let shown = ''
  return (step, table, share) => {
    const percent = Math.floor(share * 100)
    const bar = '█'.repeat(Math.floor(percent / 4)).padEnd(25, '░')
    const text = `\r${`${step} ${table}`.padEnd(30)} ${bar} ${percent} %`.padEnd(64)
    if (text === shown) return
    shown = text
    process.stderr.write(percent === 100 ? `${text}\n` : text)
  }
}
