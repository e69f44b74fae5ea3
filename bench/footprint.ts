import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { atMost, type Benchmark, type Row } from './benchmark.ts'
import { type Child, startChild } from './support/child.ts'
import { findFreePort } from '../acceptance/support/servers/free-port.ts'
import { withTempFolder } from './support/temp-folder.ts'
import { isOk } from './support/is-ok.ts'
import { median } from './support/ratio.ts'
import { listChildren, readCommand, readResidentMb } from './support/usage.ts'

const STARTS = 5

/** Must run last: it inspects the server that the other benchmarks have loaded. */
export const footprint: Benchmark = {
  name: 'footprint',
  about:
    'Time until `npm start` is ready on an existing store of the demo, and resident memory: of the idle demo, and of the server after the other benchmarks.',
  async run({ isSmoke, year }) {
    const rows = await withTempFolder(async (folder) => {
      const flags = await demoFlags(folder)
      const idle = await idleMb(folder, flags, isSmoke ? 1 : 30)
      const seconds: number[] = []
      for (let start = 0; start < (isSmoke ? 1 : STARTS); start += 1)
        seconds.push(await secondsToReady(folder, flags))
      return [
        {
          label: '`npm start` on an existing store until it is ready',
          value: `${median(seconds).toFixed(2)} s`,
          ...atMost(2, median(seconds), ' s'),
        },
        memory('the idle demo', idle, 200),
      ]
    })
    const { pid } = (await year.get()).installation
    return [...rows, memory('the server after the other benchmarks', readResidentMb(pid), 400)]
  },
}

const memory = (what: string, mb: number, most: number): Row => ({
  label: `resident memory, ${what}`,
  value: `${Math.round(mb)} MB`,
  ...atMost(most, mb, ' MB'),
})

interface Flags {
  url: string
  list: string[]
}

async function demoFlags(folder: string): Promise<Flags> {
  const [port, mqttPort] = [await findFreePort(), await findFreePort()]
  const list = ['--port', port, '--mqtt-port', mqttPort, '--data', join(folder, 'data')].map(String)
  return { url: `http://127.0.0.1:${port}`, list }
}

async function idleMb(folder: string, flags: Flags, seconds: number): Promise<number> {
  const server = await npmStart(folder, flags)
  await delay(seconds * 1000)
  const mb = readResidentMb(server.pid)
  await server.stop()
  return mb
}

async function secondsToReady(folder: string, flags: Flags): Promise<number> {
  const startedAt = performance.now()
  const server = await npmStart(folder, flags)
  const seconds = (performance.now() - startedAt) / 1000
  await server.stop()
  return seconds
}

async function npmStart(folder: string, { url, list }: Flags): Promise<Child> {
  const npm = await startChild('npm', ['start', '--', ...list], {
    logFile: join(folder, 'log'),
    isUp: () => isOk(`${url}/ready`),
  })
  // The server may have a child that completes the history of the demo.
  const server = listChildren(npm.pid).findLast((pid) => readCommand(pid).includes(' serve ')) ?? npm.pid
  return {
    pid: server,
    async stop() {
      process.kill(server, 'SIGTERM')
      // If npm is stopped first, the server is still running when the next start is measured.
      while (readCommand(server) !== '') await delay(20)
      await npm.stop()
    },
  }
}
