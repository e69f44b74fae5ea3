import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../support/child.ts'
import { findFreePort } from '../../../acceptance/support/servers/free-port.ts'
import { isRegister } from '../../support/residence.ts'
import { isOk } from '../../support/is-ok.ts'
import type { PeerKind } from './peer.ts'

const PROGRAM = '/usr/bin/victoria-metrics'
const SECONDS = { hour: 3_600, day: 86_400 }

export const victoriaMetrics: PeerKind = {
  name: 'VictoriaMetrics',
  isThere: () => existsSync(PROGRAM),
  async start(folder) {
    const address = `127.0.0.1:${await findFreePort()}`
    const url = `http://${address}`
    const data = join(folder, 'victoria-metrics')
    const { pid, stop } = await startChild(
      PROGRAM,
      [`-httpListenAddr=${address}`, `-storageDataPath=${data}`, '-retentionPeriod=10y'],
      { logFile: join(folder, 'victoria-metrics.log'), isUp: () => isOk(`${url}/health`) },
    )
    return {
      url,
      pid,
      stop,
      write: (readings) => ({
        method: 'POST',
        path: '/api/v1/import/prometheus',
        headers: {},
        body: readings
          .map(({ room, metric, at, value }) => `${metric}{room="${room}"} ${value} ${at}\n`)
          .join(''),
      }),
      read({ room, metric, from, to, step }) {
        const seconds = SECONDS[step]
        const figure = isRegister(metric) ? 'increase' : 'avg_over_time'
        const query = `${figure}(${metric}{room="${room}"}[${seconds}s])`
        // VictoriaMetrics labels a window with its end.
        const range = { start: String(from / 1000 + seconds), end: String(to / 1000), step: String(seconds) }
        return {
          method: 'GET',
          path: `/api/v1/query_range?${new URLSearchParams({ query, ...range, nocache: '1' }).toString()}`,
          headers: {},
        }
      },
    }
  },
}
