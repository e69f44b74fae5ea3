import { acceptLoss, examineInstallation } from '@portico/server/operator/doctor'
import type { Command } from '../command.ts'

export const command: Command = {
  localOnly: 'it examines the store and the machine; run it on the machine of the server',
  opensStore: true,
  settings: ['publicUrl', 'tenant', 'host', 'port', 'tlsCert', 'tlsKey', 'mqttUrl', 'mqttPort', 'mqttsPort'],
  options: { deep: { type: 'boolean' }, 'accept-loss': { type: 'boolean' } },
  help: {
    deep: 'Verify the whole store: every checksum, and every rollup against its readings. Takes minutes for a large store.',
    'accept-loss':
      'Give up damaged readings. Until then, requests that need them get 503; afterwards, results are computed from the remaining readings.',
  },
  async run({ config, values, out }) {
    if (values['accept-loss'] === true) {
      const accepted = await acceptLoss(config)
      out.note(
        accepted === 0
          ? 'No readings are damaged.'
          : `Gave up damaged readings; time spans affected: ${accepted}.`,
      )
    }
    const deep = values['deep'] === true ? { progress: showProgress(out.note) } : undefined
    const findings = await examineInstallation(config, deep)
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

/** Prints a line for each quarter of a part that is done. */
function showProgress(note: (line: string) => void): (part: string, share: number) => void {
  let shown = ''
  return (part, share) => {
    const line = `verifying ${part}: ${Math.floor(share * 4) * 25} %`
    if (line !== shown) note(line)
    shown = line
  }
}
