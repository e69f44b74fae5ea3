/** Draws how much of each table is copied and compared; only where somebody watches. */
export function createCopyProgress(): (step: string, table: string, share: number) => void {
  if (!process.stderr.isTTY) return () => {}
  let shown = ''
  return (step, table, share) => {
    const percent = Math.floor(share * 100)
    const bar = '█'.repeat(Math.floor(percent / 4)).padEnd(25, '░')
    const line = `${step} ${table}`.padEnd(30)
    const text = `\r${line} ${bar} ${percent} %`.padEnd(64)
    if (text === shown) return
    shown = text
    process.stderr.write(percent === 100 ? `${text}\n` : text)
  }
}
