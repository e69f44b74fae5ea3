import type { Command } from '@portico/sdk'
import type { JSX } from 'preact'
import { CommandBadge } from '../../components/badge.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Moment } from '../../components/moment.tsx'
import { ResourcePanel } from '../../components/panel.tsx'
import { type Column, DataTable } from '../../components/table.tsx'
import type { ListResource } from '../../resource.ts'
import { describeSchedule, describeState, isFinal, toSentence, toTypeName } from './words.ts'

/** The commands of a device with their states, newest first. */
export function CommandsPanel({
  resource,
  timeZone,
}: {
  resource: ListResource<Command>
  timeZone: string
}): JSX.Element {
  return (
    <ResourcePanel
      title="Commands"
      resource={resource}
      empty={{
        when: (rows) => rows.length === 0,
        title: 'No command yet',
        text: 'Send a schedule, and its command appears here with every state that it enters.',
      }}
    >
      {(rows) => (
        <DataTable
          caption="Commands of the device"
          columns={toColumns(timeZone)}
          rows={rows}
          toKey={({ commandUuid }) => commandUuid}
          detail={(command) => (
            <div class="stack wide">
              <p>{describeState(command.state, command.failureReason)}</p>
              <CodeBlock code={JSON.stringify(command, null, 2)} />
            </div>
          )}
          loadMore={resource.loadMore}
        />
      )}
    </ResourcePanel>
  )
}

const toColumns = (timeZone: string): readonly Column<Command>[] => [
  { header: 'Command', cell: ({ type }) => toTypeName(type) },
  { header: 'State', cell: ({ state }) => <CommandBadge status={state} /> },
  { header: 'What', cell: ({ schedule }) => describeSchedule(schedule, timeZone), isMinor: true },
  {
    header: 'Reason',
    cell: ({ failureReason }) =>
      (failureReason && toSentence(failureReason.message)) ?? <span class="quiet">–</span>,
    isMinor: true,
  },
  { header: 'Sent', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    header: 'Took',
    cell: ({ createdAt, completedAt, state }) =>
      completedAt === null || !isFinal(state) ? '–' : describeDuration(createdAt, completedAt),
    isNumber: true,
    isMinor: true,
  },
]

function describeDuration(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000
  if (seconds < 120) return `${seconds.toFixed(1)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
