import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { V1Day } from '@portico/sdk/operator'
import { type ApiCall, operator } from '../api.ts'
import { Bars } from '../charts/index.ts'
import { ResourcePanel } from '../components/panel.tsx'
import { type ListBody, useCall } from '../resource.ts'
import { toCallSeries } from './v1-series.ts'

export const toDaysCall = (partnerUuid?: string): ApiCall =>
  operator('GET', '/migration/days', { query: { partnerUuid } })

/** Whether the calls to version 1 decrease. */
export function V1Days(): JSX.Element {
  const days = useCall<ListBody<V1Day>>(toDaysCall())
  return (
    <ResourcePanel
      title="Calls by day"
      lead="Calls of all partners to version 1, by day in UTC."
      resource={days}
      empty={{
        when: ({ data }) => data.every(({ calls }) => calls === 0),
        title: 'No calls in the last 31 days',
        text: 'No partner depends on version 1 any more.',
      }}
    >
      {({ data }) => <DailyCalls days={data} />}
    </ResourcePanel>
  )
}

export function DailyCalls({ days }: { days: readonly V1Day[] }): JSX.Element {
  const series = useMemo(() => toCallSeries(days), [days])
  return <Bars title="Calls" series={series} height={160} />
}
