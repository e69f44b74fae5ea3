import { examineInstallation } from '@portico/server/doctor'
import type { Command } from '../command.ts'

export const command: Command = {
  settings: ['publicUrl', 'tenant', 'host', 'port', 'tlsCert', 'tlsKey', 'mqttUrl', 'mqttPort', 'mqttsPort'],
  async run({ config, out }) {
    const findings = await examineInstallation(config)
    const width = Math.max(...findings.map(({ check }) => check.length))
    out.result(
      { findings },
      findings.map(
        ({ check, isFine, detail }) => `${isFine ? 'ok  ' : 'BAD '} ${check.padEnd(width)}  ${detail}`,
      ),
    )
    return findings.every(({ isFine }) => isFine) ? 0 : 1
  },
}
