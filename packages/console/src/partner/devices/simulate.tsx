import type { Device, Simulation, SimulationBody } from '@portico/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { send, v2 } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Panel } from '../../components/panel.tsx'
import { ShowCall } from '../../components/show-call.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { useAction } from '../../resource.ts'
import { Choice } from './schedule/choice.tsx'
import { RangeField } from './schedule/range.tsx'

type Mode = SimulationBody['mode']

const MODES: readonly { value: Mode; name: string; text: string }[] = [
  { value: 'online', name: 'Online', text: 'confirms each command shortly afterwards' },
  { value: 'offline', name: 'Offline', text: 'appears offline and receives no commands' },
  { value: 'reject', name: 'Reject', text: 'receives each command, then rejects it' },
  { value: 'delay', name: 'Delay', text: 'waits before each response' },
]

const DELAY_SECONDS = { min: 5, max: 120, step: 5 }

/** How a simulated device of a sandbox behaves. */
export function SimulatePanel({
  siteId,
  device,
  onChanged,
}: {
  siteId: string
  device: Device
  onChanged: () => void
}): JSX.Element {
  const [mode, setMode] = useState<Mode>('online')
  const [delaySeconds, setDelay] = useState(30)
  const [result, setResult] = useState<Simulation>()
  const body: SimulationBody = mode === 'delay' ? { mode, delaySeconds } : { mode }
  const call = v2('POST', `/sandbox/devices/${device.deviceUuid}/simulate`, { siteId, body })
  const action = useAction(async () => {
    const { data } = await send<Simulation>(call)
    setResult(data)
    onChanged()
  })
  const describe = (value: string): string => MODES.find((one) => one.value === value)?.text ?? ''
  return (
    <Panel
      title="Simulate"
      class="sandbox"
      actions={<Badge>sandbox</Badge>}
      lead="The devices of this site are simulated. Choose how this one behaves, until the next restart of the server."
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void action.run()
        }}
      >
        <Choice<Mode> legend="Behaviour" options={MODES} value={mode} onChange={setMode} />
        <p class="quiet">The device {describe(mode)}.</p>
        {mode === 'delay' && (
          <RangeField
            label="Delay"
            range={DELAY_SECONDS}
            value={delaySeconds}
            onChange={setDelay}
            format={(seconds) => `${seconds} s`}
          />
        )}
        {action.error && <ErrorNote error={action.error} />}
        <div class="actions">
          <button class="button" disabled={action.isRunning}>
            Apply
          </button>
          <ShowCall calls={[call]} subject="Simulate" />
        </div>
        <p role="status">
          {result &&
            `The device now ${describe(result.mode)}${result.delaySeconds === null ? '' : ` (${result.delaySeconds} s)`}.`}
        </p>
      </form>
    </Panel>
  )
}
