import type { Command, Device, DeviceSchedule } from '@portico/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { v2 } from '../../api.ts'
import { WeekPlan } from '../../charts/index.ts'
import { StatusBadge } from '../../components/badge.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { ErrorNote, Skeleton } from '../../components/states.tsx'
import { toDeviceTypeName } from '../../format.ts'
import { useCall, useList } from '../../resource.ts'
import { hasRole } from '../../session.ts'
import { useSite } from '../site.ts'
import { CommandsPanel } from './commands.tsx'
import { FactsPanel, Warnings } from './facts.tsx'
import { MetricsPanel, useDeviceHours } from './metrics.tsx'
import { PlanPanel } from './plan.tsx'
import { ScheduleForm } from './schedule/form.tsx'
import { findLimits } from './schedule/limits.ts'
import { CommandTimeline } from './schedule/timeline.tsx'
import { SimulatePanel } from './simulate.tsx'
import { StoryPanel } from './story.tsx'

/** One device: its state, metrics, schedule, commands and timeline. */
export function DevicePage({ siteId, deviceUuid }: { siteId: string; deviceUuid: string }): JSX.Element {
  const path = `/devices/${encodeURIComponent(deviceUuid)}`
  const site = useSite(siteId)
  const device = useCall<Device>(v2('GET', path, { siteId }))
  const isControllable = device.data?.controllable === true
  const schedule = useCall<DeviceSchedule>(
    isControllable ? v2('GET', `${path}/schedule`, { siteId }) : undefined,
  )
  const commands = useList<Command>(isControllable ? v2('GET', `${path}/commands`, { siteId }) : undefined)
  const hours = useDeviceHours(siteId, device.data)
  const [round, setRound] = useState(0)
  // Commands stay visible after they have ended.
  const [followed, setFollowed] = useState<readonly Command[]>([])
  const follow = (commands: readonly Command[]): void =>
    setFollowed((held) => [
      ...commands.filter(({ commandUuid }) => held.every((other) => other.commandUuid !== commandUuid)),
      ...held,
    ])
  const pending = schedule.data?.pending
  useEffect(() => {
    if (pending) follow(pending.toReversed())
  }, [pending])

  const reload = (): void => {
    for (const resource of [device, schedule, commands]) resource.reload()
    setRound((value) => value + 1)
  }
  const timeZone = site?.timeZone ?? schedule.data?.timeZone ?? 'UTC'
  const crumbs = [{ href: `/console/${siteId}/devices`, name: 'Devices' }]
  if (!device.data)
    return (
      <Page title="Device" crumbs={crumbs}>
        {device.error ? <ErrorNote error={device.error} retry={device.reload} /> : <Skeleton rows={8} />}
      </Page>
    )
  return (
    <Page
      title={device.data.deviceName}
      crumbs={crumbs}
      lead={`${toDeviceTypeName(device.data.deviceType)} in ${device.data.spaceName}`}
      actions={<StatusBadge status={device.data.status} />}
    >
      <Warnings warnings={device.data.warnings} />
      <div class="columns">
        <FactsPanel siteId={siteId} resource={device} timeZone={timeZone} />
        {isControllable && <PlanPanel resource={schedule} />}
      </div>
      {isControllable && hasRole('Devices.Control') && (
        <ControlPanel
          siteId={siteId}
          device={device.data}
          schedule={schedule.data}
          error={schedule.error}
          followed={followed}
          onSent={(command) => {
            follow([command])
            reload()
          }}
          onEnd={reload}
          timeZone={timeZone}
        />
      )}
      {device.data.metricTypes.length > 0 && (
        <MetricsPanel siteId={siteId} device={device.data} hours={hours} />
      )}
      {isControllable && <CommandsPanel resource={commands} timeZone={timeZone} />}
      <StoryPanel
        siteId={siteId}
        device={device.data}
        timeZone={timeZone}
        commands={commands}
        hours={hours}
        round={round}
      />
      {site?.sandbox && isControllable && hasRole('Devices.Control') && (
        <SimulatePanel siteId={siteId} device={device.data} onChanged={reload} />
      )}
    </Page>
  )
}

interface ControlPanelProps {
  siteId: string
  device: Device
  schedule: DeviceSchedule | undefined
  error: Error | undefined
  followed: readonly Command[]
  onSent: (command: Command) => void
  onEnd: () => void
  timeZone: string
}

/** Sends schedules and shows their progress. */
function ControlPanel(props: ControlPanelProps): JSX.Element | null {
  const { siteId, device, schedule, error, followed, onSent, onEnd, timeZone } = props
  const limits = findLimits(device)
  if (!limits) return null
  return (
    <Panel title="Send a schedule" lead="Only values that the device currently accepts can be chosen.">
      <div class="control">
        {schedule ? (
          <ScheduleForm
            siteId={siteId}
            device={device}
            limits={limits}
            schedule={schedule}
            onSent={onSent}
            preview={(plan) => (
              <WeekPlan
                title="Preview of the week"
                plan={{ default: plan.default, periods: [...plan.periods] }}
              />
            )}
          />
        ) : error ? (
          <ErrorNote error={error} />
        ) : (
          <Skeleton rows={5} />
        )}
        <section class="followed" aria-label="Commands in progress">
          {followed.length === 0 ? (
            <p class="quiet">A command that you send appears here and is followed until it has ended.</p>
          ) : (
            followed.map((command) => (
              <CommandTimeline
                key={command.commandUuid}
                siteId={siteId}
                command={command}
                timeZone={timeZone}
                onEnd={onEnd}
              />
            ))
          )}
        </section>
      </div>
    </Panel>
  )
}
