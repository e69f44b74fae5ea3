import { createServer } from 'node:net'
import type { Config } from '../config/config.ts'
import type { Ports } from './ports.ts'
import { StartError } from './start-error.ts'
import { getSystemErrorCode } from '../kernel/system-error.ts'

/** Chooses the ports before listening, because addresses are derived from them. */
export async function choosePorts(config: Config, print: (text: string) => void): Promise<Ports> {
  const { host, mqttHost, mqttsPort, demo, metricsHost, metricsPort } = config
  const chosen = new Map<number, string>()
  const choose = async (wanted: WantedPort): Promise<number> => {
    for (;;) {
      const port = await choosePort(wanted, print)
      const other = chosen.get(port)
      chosen.set(port, other ?? wanted.setting)
      if (other === undefined) return port
      if (port === wanted.port)
        throw new StartError(`port ${port} cannot be both ${other} and ${wanted.setting}`)
      // Two free ports chosen one after the other can be the same.
    }
  }
  const http = await choose({
    host,
    port: config.port,
    setting: '--port',
    mayMove: demo && !config.isPortGiven,
  })
  const metrics =
    metricsPort === 'off'
      ? undefined
      : await choose({
          host: metricsHost,
          port: metricsPort,
          setting: 'METRICS_PORT',
          // A second server on one machine must not fail because of a default port.
          mayMove: !config.isMetricsPortGiven,
        })
  if (config.mqttUrl !== undefined) return { http, mqtt: 0, mqtts: undefined, metrics }
  const mqtt = await choose({
    host: mqttHost,
    port: config.mqttPort,
    setting: '--mqtt-port',
    mayMove: demo && !config.isMqttPortGiven,
  })
  if (mqttsPort === undefined) return { http, mqtt, mqtts: undefined, metrics }
  // Another broker on this machine may already use the default port; an upgrade must not fail because of it.
  const mayMove = !config.isMqttsPortGiven
  const mqtts = await choose({ host, port: mqttsPort, setting: '--mqtts-port', mayMove })
  return { http, mqtt, mqtts, metrics }
}

interface WantedPort {
  host: string
  /** 0 picks a free port. */
  port: number
  /** The flag or variable of the port. */
  setting: string
  /** Whether a free port may be used if this one is taken. */
  mayMove: boolean
}

async function choosePort(
  { host, port, setting, mayMove }: WantedPort,
  print: (text: string) => void,
): Promise<number> {
  try {
    return await tryPort(host, port)
  } catch (error) {
    const code = getSystemErrorCode(error)
    if (code !== 'EADDRINUSE') {
      throw new StartError(`cannot listen on ${host} port ${port}: ${describeCode(code) ?? String(error)}`)
    }
    if (!mayMove) throw new StartError(`port ${port} on ${host} is taken; choose another with ${setting}`)
    const free = await tryPort(host, 0)
    print(`Port ${port} is taken; using ${free} instead.\n`)
    return free
  }
}

const describeCode = (code: unknown): string | undefined => {
  if (code === 'EACCES') return 'permission denied'
  if (code === 'EADDRNOTAVAIL') return 'this machine does not have that address'
  return typeof code === 'string' ? code : undefined
}

/** Listens on a port for a moment; returns the port, which is a free one if `port` is 0. */
function tryPort(host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen({ host, port }, () => {
    const address = probe.address()
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : port))
  })
  return promise
}
