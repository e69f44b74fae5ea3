import type { Device, SiteRecord, Space } from '@portico/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type ApiCall, send, v2 } from '../api.ts'
import { CallsCode } from '../components/call-code.tsx'
import { Field } from '../components/form.tsx'
import { Panel } from '../components/panel.tsx'
import { ErrorNote } from '../components/states.tsx'
import { formatCount } from '../format.ts'
import { useAction, useList } from '../resource.ts'
import { getQuery, setQuery } from '../route.ts'
import { hasRole } from '../session.ts'
import { AccountPage } from './account-page.tsx'
import { type TryRequest, toRequests } from './try-requests.ts'

/** Requests with the partner's own identifiers, to run here and to copy. */
export function Try(): JSX.Element {
  return (
    <AccountPage
      title="Try the API"
      lead="The most common requests with your identifiers. Run them here, or copy them into your program."
      document={{ href: '/reference', name: 'API reference' }}
      emptyText="Ask the operator of this installation to grant you a site."
    >
      {(sites) => <Requests sites={sites} />}
    </AccountPage>
  )
}

function Requests({ sites }: { sites: readonly SiteRecord[] }): JSX.Element {
  const site = sites.find(({ siteUuid }) => siteUuid === getQuery('site')) ?? sites[0]
  const siteId = site?.siteUuid ?? ''
  const spaces = useList<Space>(
    hasRole('Spaces.Read')
      ? v2('GET', '/spaces', { siteId, query: { metricType: 'electricity' } })
      : undefined,
    { refreshMs: 0 },
  )
  const devices = useList<Device>(hasRole('Devices.Read') ? v2('GET', '/devices', { siteId }) : undefined, {
    refreshMs: 0,
  })
  const space = spaces.data?.find(({ spaceUuid }) => spaceUuid === getQuery('space')) ?? spaces.data?.[0]
  const device =
    devices.data?.find(({ deviceUuid }) => deviceUuid === getQuery('device')) ?? devices.data?.[0]
  const requests = toRequests({ siteId, space, device, canReadEvents: hasRole('Events.Read') })
  const chosen = requests.find(({ name }) => name === getQuery('request')) ?? requests[0]
  return (
    <>
      <form class="filters" aria-label="Identifiers" onSubmit={(event) => event.preventDefault()}>
        <Choice
          name="site"
          label="Site"
          value={siteId}
          options={sites.map(({ siteUuid, siteName }) => [siteUuid, siteName])}
        />
        {space && (
          <Choice
            name="space"
            label="Space"
            value={space.spaceUuid}
            options={(spaces.data ?? []).map(({ spaceUuid, spaceName }) => [spaceUuid, spaceName])}
          />
        )}
        {device && (
          <Choice
            name="device"
            label="Device"
            value={device.deviceUuid}
            options={(devices.data ?? []).map(({ deviceUuid, deviceName }) => [deviceUuid, deviceName])}
          />
        )}
      </form>
      <div class="try">
        <nav aria-label="Requests">
          <ul>
            {requests.map(({ name }) => (
              <li key={name}>
                <a
                  href={toHref(name)}
                  aria-current={name === chosen?.name ? 'true' : undefined}
                  onClick={(event) => {
                    event.preventDefault()
                    setQuery({ request: name })
                  }}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {chosen && <Request key={JSON.stringify(chosen.call)} request={chosen} />}
      </div>
    </>
  )
}

function toHref(request: string): string {
  const url = new URL(location.href)
  url.searchParams.set('request', request)
  return `${url.pathname}${url.search}`
}

function Choice(props: {
  name: string
  label: string
  value: string
  options: readonly (readonly [string, string])[]
}): JSX.Element {
  const { name, label, value, options } = props
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
        >
          {options.map(([uuid, text]) => (
            <option key={uuid} value={uuid}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function Request({ request: { name, text, call } }: { request: TryRequest }): JSX.Element {
  return (
    <Panel title={name} lead={text}>
      <CallsCode calls={[call]} />
      <Run call={call} />
    </Panel>
  )
}

interface Result {
  status: number
  durationMs: number
  body: string
}

/** Longer responses are cut off: browsers lay out a megabyte of text slowly. */
const MAX_CHARACTERS = 20_000

/** Sends a request with the token of the session, which is never shown. */
function Run({ call }: { call: ApiCall }): JSX.Element {
  const [result, setResult] = useState<Result>()
  const action = useAction(async () => {
    const startedAt = performance.now()
    const { data, response } = await send<unknown>(call)
    setResult({
      status: response.status === 304 ? 200 : response.status,
      durationMs: performance.now() - startedAt,
      body: JSON.stringify(data, null, 2),
    })
  })
  return (
    <>
      <button
        type="button"
        class="button primary"
        disabled={action.isRunning}
        onClick={() => void action.run()}
      >
        Run
      </button>
      <div aria-live="polite">
        {action.error ? (
          <ErrorNote error={action.error} />
        ) : (
          result && (
            <p class="quiet">
              {result.status} in {Math.round(result.durationMs)} ms, {formatCount(result.body.length)}{' '}
              characters
            </p>
          )
        )}
      </div>
      {result && !action.error && (
        <pre class="response" tabIndex={0} aria-label="Response">
          <code>
            {result.body.length > MAX_CHARACTERS
              ? `${result.body.slice(0, MAX_CHARACTERS)}\n… cut`
              : result.body}
          </code>
        </pre>
      )}
    </>
  )
}
