import type { Replay, ReplayBody, SiteRecord } from '@portico/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { send, v2 } from '../../api.ts'
import { Field } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { ShowCall } from '../../components/show-call.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { plural } from '../../format.ts'
import { useAction } from '../../resource.ts'
import { findMessage, listFieldErrors } from '../devices/schedule/errors.ts'
import { toLocalInput } from '../site-time.ts'

const DAY_MS = 86_400_000

interface ReplayPanelProps {
  path: string
  sites: readonly SiteRecord[]
  onSent: () => void
}

/** Sends the events of a period again. */
export function ReplayPanel({ path, sites, onSent }: ReplayPanelProps): JSX.Element {
  const [chosen, setSite] = useState<string>()
  const [from, setFrom] = useState(() => toLocalInput(Date.now() - DAY_MS, 'UTC'))
  const [to, setTo] = useState('')
  const [isOnlyFailed, setOnlyFailed] = useState(true)
  const [count, setCount] = useState<number>()
  const siteUuid = chosen ?? sites[0]?.siteUuid ?? ''
  const body: ReplayBody = {
    siteUuid,
    ...(from !== '' && { fromDateTime: `${from}Z` }),
    ...(to !== '' && { toDateTime: `${to}Z` }),
    ...(isOnlyFailed && { only: 'failed' }),
  }
  const call = v2('POST', `${path}/replay`, { body })
  const action = useAction(async () => {
    setCount((await send<Replay>(call)).data.count)
    onSent()
  })
  const errors = listFieldErrors(action.error)
  return (
    <Panel
      title="Replay"
      lead="Sends events again with the same identifiers, so that a receiver that remembers them ignores what it has."
    >
      <form
        class="stack wide"
        onSubmit={(event) => {
          event.preventDefault()
          setCount(undefined)
          void action.run()
        }}
      >
        <div class="filters">
          <Field label="Site" error={findMessage(errors, 'siteUuid')}>
            {(field) => (
              <select
                {...field}
                value={siteUuid}
                onChange={({ currentTarget }) => setSite(currentTarget.value)}
              >
                {sites.map((site) => (
                  <option key={site.siteUuid} value={site.siteUuid}>
                    {site.siteName}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="From (UTC)" error={findMessage(errors, 'fromDateTime')}>
            {(field) => (
              <input
                {...field}
                type="datetime-local"
                value={from}
                onInput={({ currentTarget }) => setFrom(currentTarget.value)}
              />
            )}
          </Field>
          <Field label="To (UTC), or the newest" error={findMessage(errors, 'toDateTime')}>
            {(field) => (
              <input
                {...field}
                type="datetime-local"
                value={to}
                onInput={({ currentTarget }) => setTo(currentTarget.value)}
              />
            )}
          </Field>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={isOnlyFailed}
            onChange={({ currentTarget }) => setOnlyFailed(currentTarget.checked)}
          />
          <span>Only events whose delivery failed</span>
        </label>
        {action.error && errors.length === 0 && <ErrorNote error={action.error} />}
        <div class="actions">
          <button class="button" disabled={action.isRunning || siteUuid === ''}>
            Send again
          </button>
          <ShowCall calls={[call]} subject="Replay" />
        </div>
        <p role="status">
          {count !== undefined &&
            (count === 0 ? 'No event matches.' : `${plural(count, 'event')} will be sent again.`)}
        </p>
      </form>
    </Panel>
  )
}
