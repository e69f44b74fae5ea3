import type { DeviceSchedule } from '@portico/sdk'
import type { JSX } from 'preact'
import { WeekPlan } from '../../charts/index.ts'
import { ResourcePanel } from '../../components/panel.tsx'
import type { Resource } from '../../resource.ts'
import { formatZoned } from '../site-time.ts'
import { describeTarget, toTypeName } from './words.ts'

/** The schedule in effect: now, next and the week. */
export function PlanPanel({ resource }: { resource: Resource<DeviceSchedule> }): JSX.Element {
  return (
    <ResourcePanel title="Schedule" resource={resource}>
      {({ now, next, plan, timeZone }) => (
        <>
          <dl class="now-next">
            <div>
              <dt>Now</dt>
              <dd>
                <strong>{now.source === 'none' ? 'No target' : toHeading(describeTarget(now.target))}</strong>
                <span class="quiet">{describeNow(now, timeZone)}</span>
              </dd>
            </div>
            <div>
              <dt>Next</dt>
              <dd>
                <strong>{next ? toHeading(describeTarget(next.target)) : 'No change'}</strong>
                <span class="quiet">
                  {next ? `from ${formatZoned(next.at, timeZone)}` : 'Nothing is planned.'}
                </span>
              </dd>
            </div>
          </dl>
          {plan ? (
            <WeekPlan title="Week plan" plan={plan} />
          ) : (
            <p class="quiet">The device has no weekly plan.</p>
          )}
        </>
      )}
    </ResourcePanel>
  )
}

const toHeading = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const SOURCES: Readonly<Record<string, string>> = {
  weekly: 'Weekly plan',
  default: 'Weekly plan, outside of all periods',
  none: 'No schedule is known.',
}

function describeNow({ source, until }: DeviceSchedule['now'], timeZone: string): string {
  const name = SOURCES[source] ?? toTypeName(source)
  return until === null ? name : `${name}, until ${formatZoned(until, timeZone)}`
}
