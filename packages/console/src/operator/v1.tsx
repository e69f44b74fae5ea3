import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Lifecycle, LifecycleChange, V1Caller } from '@portico/sdk/operator'
import { type ApiCall, operator } from '../api.ts'
import { Badge, type Tone } from '../components/badge.tsx'
import { ConfirmButton } from '../components/confirm.tsx'
import { SelectFilter } from '../components/filters.tsx'
import { Field } from '../components/form.tsx'
import { Moment } from '../components/moment.tsx'
import { useNotice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { Panel, ResourcePanel } from '../components/panel.tsx'
import { DataTable } from '../components/table.tsx'
import { formatCount, formatUtc, plural } from '../format.ts'
import { useCall, useList } from '../resource.ts'
import { getQuery } from '../route.ts'
import { findProblem, type LifecycleForm, toChange, toForm } from './lifecycle-form.ts'
import { toPartnerPage } from './names.ts'
import { REHEARSED_DAYS, rehearse } from './rehearsal.ts'
import { V1Days } from './v1-days.tsx'

const DAY_MS = 86_400_000

const toCall = (changes: LifecycleChange[]): ApiCall => operator('PUT', '/v1/lifecycle', { body: changes })

export function V1Page(): JSX.Element {
  const table = useCall<Lifecycle[]>(operator('GET', '/v1/lifecycle'))
  const callers = useList<V1Caller>(operator('GET', '/migration'), { limit: 1000 })
  const { notice, say } = useNotice()
  const onChanged = (text: string): void => {
    say(text)
    table.reload()
  }
  const toCallers = (paths: readonly string[]): string[] =>
    rehearse(callers.data ?? [], new Set(paths), Date.now() - REHEARSED_DAYS * DAY_MS).map(
      ({ partnerName }) => partnerName,
    )
  return (
    <Page
      title="Version 1"
      lead="When each endpoint of version 1 ends. After its sunset, and during a blackout, an endpoint returns 410."
    >
      {notice}
      <V1Days />
      <Rehearsal endpoints={table.data ?? []} callers={callers} />
      <ResourcePanel title="Sunset table" resource={table} calls={[callers.call]}>
        {(endpoints) => (
          <DataTable
            caption="Endpoints of version 1"
            rows={endpoints}
            toKey={({ path }) => path}
            detail={(endpoint) => (
              <EndpointForm
                key={JSON.stringify(endpoint)}
                endpoint={endpoint}
                partners={toCallers([endpoint.path])}
                onChanged={onChanged}
              />
            )}
            detailLabel="Edit"
            columns={[
              { header: 'Endpoint', cell: ({ path }) => <code>{path}</code> },
              { header: 'In version 2', cell: ({ state }) => <StateBadge state={state} />, isMinor: true },
              { header: 'Deprecated', cell: ({ deprecatedAt }) => <Day at={deprecatedAt} />, isMinor: true },
              { header: 'Sunset', cell: ({ sunsetAt }) => <Sunset at={sunsetAt} /> },
              {
                header: 'Blackouts',
                cell: ({ blackouts }) => formatCount(blackouts.length),
                isNumber: true,
                isMinor: true,
              },
              {
                header: 'Partners, 7 days',
                cell: ({ path }) => formatCount(toCallers([path]).length),
                isNumber: true,
              },
            ]}
          />
        )}
      </ResourcePanel>
      {table.data && (
        <BulkForm endpoints={table.data} call={table.call} toCallers={toCallers} onChanged={onChanged} />
      )}
    </Page>
  )
}

const STATES: Readonly<Record<string, [tone: Tone, text: string]>> = {
  replaced: ['good', 'replaced'],
  'awaiting-v2': ['info', 'to come'],
  retiring: ['neutral', 'never'],
}

function StateBadge({ state }: { state: string }): JSX.Element {
  const [tone, text] = STATES[state] ?? ['neutral', state]
  return <Badge tone={tone}>{text}</Badge>
}

const Day = ({ at }: { at: string | null }): JSX.Element =>
  at === null ? <span class="quiet">–</span> : <time dateTime={at}>{formatUtc(at)}</time>

const Sunset = ({ at }: { at: string | null }): JSX.Element => (
  <>
    <Day at={at} /> {at !== null && Date.parse(at) <= Date.now() && <Badge tone="bad">ended</Badge>}
  </>
)

const SCOPES = [
  { value: 'dated', name: 'Endpoints with a sunset date' },
  { value: 'replaced', name: 'Endpoints that version 2 has replaced' },
] as const

function Rehearsal(props: {
  endpoints: readonly Lifecycle[]
  callers: ReturnType<typeof useList<V1Caller>>
}): JSX.Element {
  const { endpoints, callers } = props
  const scope = getQuery('end')
  const paths = endpoints
    .filter(({ sunsetAt, state }) =>
      scope === 'dated' ? sunsetAt !== null : scope === 'replaced' ? state === 'replaced' : true,
    )
    .map(({ path }) => path)
  const failing = rehearse(callers.data ?? [], new Set(paths), Date.now() - REHEARSED_DAYS * DAY_MS)
  return (
    <ResourcePanel
      title="Rehearsal"
      lead={`Partners whose calls would have failed in the last ${REHEARSED_DAYS} days if these endpoints had ended.`}
      resource={callers}
      actions={<SelectFilter label="What ends" name="end" all="All of version 1" options={SCOPES} />}
      empty={{
        when: () => failing.length === 0,
        title: 'No partner would have been affected',
        text: `No partner called these ${plural(paths.length, 'endpoint')} in the last ${REHEARSED_DAYS} days.`,
      }}
    >
      {() => (
        <DataTable
          caption="Partners whose calls would have failed"
          rows={failing}
          toKey={({ partnerUuid }) => partnerUuid}
          detail={({ endpoints: called }) => (
            <ul class="plain">
              {called.map(({ path, replacement, lastSeenAt }) => (
                <li key={path}>
                  <code>{path}</code>
                  {replacement && (
                    <>
                      {' → '}
                      <code>{replacement}</code>
                    </>
                  )}
                  <span class="quiet">
                    {' '}
                    last call <Moment at={lastSeenAt} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          columns={[
            {
              header: 'Partner',
              cell: ({ partnerUuid, partnerName }) => <a href={toPartnerPage(partnerUuid)}>{partnerName}</a>,
            },
            { header: 'Endpoints', cell: (partner) => formatCount(partner.endpoints.length), isNumber: true },
            {
              header: 'Calls so far',
              cell: (partner) => formatCount(partner.endpoints.reduce((sum, { calls }) => sum + calls, 0)),
              isNumber: true,
              isMinor: true,
            },
            { header: 'Last call', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
          ]}
        />
      )}
    </ResourcePanel>
  )
}

function Consequences({ partners }: { partners: readonly string[] }): JSX.Element {
  return partners.length === 0 ? (
    <p>No partner called it in the last {REHEARSED_DAYS} days.</p>
  ) : (
    <p class="note warning">
      <span>
        {plural(partners.length, 'partner')} called it in the last {REHEARSED_DAYS} days:{' '}
        {partners.join(', ')}. Their calls fail with 410 after the sunset and during blackouts.
      </span>
    </p>
  )
}

function DateField(props: {
  label: string
  hint?: string
  value: string
  onChange: (value: string) => void
}): JSX.Element {
  const { value, onChange, ...field } = props
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type="date"
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}

function EndpointForm(props: {
  endpoint: Lifecycle
  partners: readonly string[]
  onChanged: (text: string) => void
}): JSX.Element {
  const { endpoint, partners, onChanged } = props
  const [form, setForm] = useState<LifecycleForm>(toForm(endpoint))
  const problem = findProblem(form)
  const change = toChange(endpoint, form)
  const setBlackout = (position: number, field: 'from' | 'to', value: string): void =>
    setForm({
      ...form,
      blackouts: form.blackouts.map((blackout, index) =>
        index === position ? { ...blackout, [field]: value } : blackout,
      ),
    })
  return (
    <div class="stack endpoint-form">
      {endpoint.replacement && (
        <p>
          Replaced by <code>{endpoint.replacement}</code>
        </p>
      )}
      <div class="fields">
        <DateField
          label="Deprecated from"
          hint="Responses carry a deprecation header."
          value={form.deprecated}
          onChange={(deprecated) => setForm({ ...form, deprecated })}
        />
        <DateField
          label="Sunset"
          hint="Answers 410 from midnight UTC."
          value={form.sunset}
          onChange={(sunset) => setForm({ ...form, sunset })}
        />
      </div>
      <fieldset class="blackouts">
        <legend>Blackouts, in UTC</legend>
        {form.blackouts.map((blackout, index) => (
          <div class="fields" key={index}>
            {(['from', 'to'] as const).map((field) => (
              <Field key={field} label={`${field === 'from' ? 'From' : 'To'} (${index + 1})`}>
                {(control) => (
                  <input
                    {...control}
                    type="datetime-local"
                    value={blackout[field]}
                    onInput={({ currentTarget }) => setBlackout(index, field, currentTarget.value)}
                  />
                )}
              </Field>
            ))}
            <button
              type="button"
              class="button small"
              aria-label={`Remove blackout ${index + 1}`}
              onClick={() =>
                setForm({ ...form, blackouts: form.blackouts.filter((_, position) => position !== index) })
              }
            >
              Remove
            </button>
          </div>
        ))}
        <button
          type="button"
          class="button small"
          onClick={() => setForm({ ...form, blackouts: [...form.blackouts, { from: '', to: '' }] })}
        >
          Add a blackout
        </button>
      </fieldset>
      {problem && <p class="field-error">{problem}</p>}
      <ConfirmButton<Lifecycle[]>
        label="Save"
        subject={endpoint.path}
        title="Change the dates of this endpoint?"
        confirm="Change the dates"
        isDanger={change?.sunsetAt != null || (change?.blackouts?.length ?? 0) > 0}
        isDisabled={!change || problem !== undefined}
        call={change && toCall([change])}
        onAnswer={() => onChanged(`The dates of ${endpoint.path} are changed.`)}
      >
        <p>
          <code>{endpoint.path}</code>
        </p>
        <Consequences partners={partners} />
      </ConfirmButton>
    </div>
  )
}

const GROUPS = [
  ['replaced', 'replaced by version 2'],
  ['awaiting-v2', 'to come in version 2'],
  ['retiring', 'without a replacement'],
] as const

function BulkForm(props: {
  endpoints: readonly Lifecycle[]
  /** The call that listed them. */
  call: ApiCall | undefined
  toCallers: (paths: readonly string[]) => string[]
  onChanged: (text: string) => void
}): JSX.Element {
  const { endpoints, call: shown, toCallers, onChanged } = props
  const [group, setGroup] = useState('')
  const [deprecated, setDeprecated] = useState('')
  const [sunset, setSunset] = useState('')
  const chosen = endpoints.filter(({ state }) => group === '' || state === group)
  const problem = findProblem({ deprecated, sunset, blackouts: [] })
  const isComplete = (deprecated !== '' || sunset !== '') && !problem
  const changes = chosen.map(({ method, path }) => ({
    method,
    path,
    ...(deprecated === '' ? {} : { deprecatedAt: deprecated }),
    ...(sunset === '' ? {} : { sunsetAt: sunset }),
  }))
  return (
    <Panel
      title="Set dates of several endpoints"
      lead="An empty field leaves the dates as they are."
      calls={[shown]}
    >
      <div class="fields">
        <Field label="Endpoints">
          {(control) => (
            <select
              {...control}
              value={group}
              onChange={({ currentTarget }) => setGroup(currentTarget.value)}
            >
              <option value="">All ({endpoints.length})</option>
              {GROUPS.map(([value, name]) => (
                <option key={value} value={value}>
                  Those {name} ({endpoints.filter(({ state }) => state === value).length})
                </option>
              ))}
            </select>
          )}
        </Field>
        <DateField label="Deprecated from" value={deprecated} onChange={setDeprecated} />
        <DateField label="Sunset" value={sunset} onChange={setSunset} />
        <ConfirmButton<Lifecycle[]>
          label="Set the dates"
          title={`Set the dates of ${plural(chosen.length, 'endpoint')}?`}
          isDanger={sunset !== ''}
          isDisabled={!isComplete}
          call={isComplete ? toCall(changes) : undefined}
          onAnswer={() => onChanged(`The dates of ${plural(chosen.length, 'endpoint')} are set.`)}
        >
          <Consequences partners={toCallers(chosen.map(({ path }) => path))} />
        </ConfirmButton>
      </div>
      {problem && <p class="field-error">{problem}</p>}
    </Panel>
  )
}
