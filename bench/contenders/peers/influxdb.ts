import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../support/child.ts'
import { findFreePort } from '../../../acceptance/support/servers/free-port.ts'
import { isRegister } from '../../support/residence.ts'
import { isOk } from '../../support/is-ok.ts'
import type { PeerKind } from './peer.ts'

const PROGRAM = '/usr/bin/influxd'
const DATABASE = 'residence'

export const influxDb: PeerKind = {
  name: 'InfluxDB',
  isThere: () => existsSync(PROGRAM),
  async start(folder) {
    const [port, backupPort] = [await findFreePort(), await findFreePort()]
    const url = `http://127.0.0.1:${port}`
    const config = join(folder, 'influxdb.conf')
    writeFileSync(config, configuration(join(folder, 'influxdb'), port, backupPort))
    const { pid, stop } = await startChild(PROGRAM, ['-config', config], {
      logFile: join(folder, 'influxdb.log'),
      isUp: () => isOk(`${url}/ping`),
    })
    const create = new URLSearchParams({ q: `CREATE DATABASE ${DATABASE}` })
    await fetch(`${url}/query`, { method: 'POST', body: create })
    return {
      url,
      pid,
      stop,
      write: (readings) => ({
        method: 'POST',
        path: `/write?db=${DATABASE}&precision=ms`,
        headers: {},
        body: readings
          .map(({ room, metric, at, value }) => `${metric},room=${room} value=${value} ${at}\n`)
          .join(''),
      }),
      read({ room, metric, from, to, step }) {
        const figure = isRegister(metric) ? 'difference(last("value"))' : 'mean("value")'
        const where = `room = '${room}' AND time >= ${from}ms AND time < ${to}ms`
        const q = `SELECT ${figure} FROM ${metric} WHERE ${where} GROUP BY time(${step === 'hour' ? '1h' : '1d'})`
        return {
          method: 'GET',
          path: `/query?${new URLSearchParams({ db: DATABASE, epoch: 'ms', q }).toString()}`,
          headers: {},
        }
      },
    }
  },
}

/** Default settings except for the data folder and the port, and without a log line per request. */
const configuration = (folder: string, port: number, backupPort: number): string => `reporting-disabled = true
bind-address = "127.0.0.1:${backupPort}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
  query-log-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
`
