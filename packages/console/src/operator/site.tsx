import { Fragment, type JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AddedGateway, Gateway, Inventory, OperatorDevice, OperatorSite } from '@portico/sdk/operator'
import { operator, send } from '../api.ts'
import { Badge, StatusBadge } from '../components/badge.tsx'
import { CallForm } from '../components/call-form.tsx'
import { Identifier } from '../components/code.tsx'
import { ConfirmButton } from '../components/confirm.tsx'
import { Figures } from '../components/figures.tsx'
import { Filters, SelectFilter } from '../components/filters.tsx'
import { Field } from '../components/form.tsx'
import { Moment } from '../components/moment.tsx'
import { useNotice } from '../components/notice.tsx'
import { ShownOnce } from '../components/once.tsx'
import { Page } from '../components/page.tsx'
import { Panel, ResourceContent, ResourcePanel } from '../components/panel.tsx'
import { RecordView } from '../components/record.tsx'
import { ErrorNote } from '../components/states.tsx'
import { DataTable } from '../components/table.tsx'
import { formatCount, formatValue, plural, toDeviceTypeName, toMetricName, toWords } from '../format.ts'
import { type ListBody, useAction, useCall, useList } from '../resource.ts'
import { getQuery } from '../route.ts'
import { saveFile } from '../save-file.ts'
import { toGatewayEnvironment } from './environment.ts'
import { InventoryUpload } from './inventory.tsx'
import { findSite } from './names.ts'
import { toSilentSeries } from './silence.ts'

const CRUMBS = [{ href: '/console/operator/sites', name: 'Sites' }]

export function SitePage({ siteUuid }: { siteUuid: string }): JSX.Element {
  const sites = useCall<ListBody<OperatorSite>>(operator('GET', '/sites', { query: { search: siteUuid } }))
  const { notice, say } = useNotice()
  const site = findSite(sites.data?.data, siteUuid)
  if (!site)
    return (
      <Page title="Site" crumbs={CRUMBS}>
        <ResourceContent resource={sites}>
          {() => (
            <p>
              There is no site <code>{siteUuid}</code>. <a href="/console/operator/sites">See all sites</a>.
            </p>
          )}
        </ResourceContent>
      </Page>
    )
  const { devices } = site
  return (
    <Page
      title={site.siteName}
      crumbs={CRUMBS}
      lead={
        <>
          {site.timeZone} · <Identifier value={site.siteUuid} /> {site.sandbox && <Badge>sandbox</Badge>}
        </>
      }
    >
      {notice}
      <Figures
        figures={[
          {
            name: 'Online',
            value: `${formatCount(devices.online)} of ${formatCount(devices.total)}`,
            href: '?status=online#devices',
          },
          {
            name: 'Offline',
            value: formatCount(devices.offline),
            note: devices.unknown > 0 && `and ${formatCount(devices.unknown)} never seen`,
            tone: devices.offline > 0 ? 'bad' : 'neutral',
            href: '?status=offline#devices',
          },
          {
            name: 'Newest reading',
            value: <Moment at={site.newestReadingAt} never="none yet" />,
            href: '#silent',
          },
          {
            name: 'Gateways',
            value: formatCount(site.gateways),
            note: `${plural(site.spaces, 'space')} in ${plural(site.buildings, 'building')}`,
            href: '#gateways',
          },
        ]}
      />
      <SilentPanel siteUuid={siteUuid} />
      <GatewaysPanel siteUuid={siteUuid} say={say} />
      <DownloadPanel site={site} />
      <InventoryUpload
        siteUuid={siteUuid}
        onApplied={() => {
          say('The inventory is applied.')
          sites.reload()
        }}
      />
      <DevicesPanel siteUuid={siteUuid} />
    </Page>
  )
}

const SILENCES = [
  ['60', 'an hour'],
  ['180', '3 hours'],
  ['1440', 'a day'],
  ['10080', 'a week'],
] as const
const DEFAULT_SILENCE = '180'

/** Enough for all silent devices of most sites, so that the longest silences come first. */
const MOST_SILENT = 1000
const ROWS = 50

function SilentPanel({ siteUuid }: { siteUuid: string }): JSX.Element {
  const minutes = getQuery('silent') ?? DEFAULT_SILENCE
  const devices = useList<OperatorDevice>(
    operator('GET', `/sites/${siteUuid}/devices`, { query: { silentForMinutes: Number(minutes) } }),
    { limit: MOST_SILENT },
  )
  const [shown, setShown] = useState(ROWS)
  const series = toSilentSeries(devices.data ?? [], Number(minutes), Date.now())
  return (
    <ResourcePanel
      id="silent"
      title="Silent series"
      lead="Meters and sensors that should report but do not, longest first."
      resource={devices}
      actions={
        <SelectFilter
          label="Silent for"
          name="silent"
          all="3 hours"
          options={SILENCES.filter(([value]) => value !== DEFAULT_SILENCE).map(([value, name]) => ({
            value,
            name,
          }))}
        />
      }
      empty={{ when: () => series.length === 0, title: 'Every series reports' }}
    >
      {() => (
        <DataTable
          caption="Silent series"
          rows={series.slice(0, shown)}
          toKey={({ deviceUuid, metricType }) => `${deviceUuid} ${metricType}`}
          loadMore={shown < series.length ? () => setShown(shown + ROWS) : devices.loadMore}
          columns={[
            { header: 'Device', cell: ({ deviceName }) => deviceName },
            { header: 'Metric', cell: ({ metricType }) => toMetricName(metricType) },
            { header: 'Space', cell: ({ spaceName }) => spaceName, isMinor: true },
            {
              header: 'Last reading',
              cell: ({ lastReadingAt }) => <Moment at={lastReadingAt} />,
              isNumber: true,
            },
          ]}
        />
      )}
    </ResourcePanel>
  )
}

function DevicesPanel({ siteUuid }: { siteUuid: string }): JSX.Element {
  const status = getQuery('status')
  const devices = useList<OperatorDevice>(
    operator('GET', `/sites/${siteUuid}/devices`, { query: { status } }),
  )
  return (
    <ResourcePanel
      id="devices"
      title="Devices"
      resource={devices}
      actions={
        <Filters>
          <SelectFilter
            label="Status"
            name="status"
            options={['online', 'offline', 'unknown'].map((value) => ({ value, name: toWords(value) }))}
          />
        </Filters>
      }
      empty={{
        when: (rows) => rows.length === 0,
        title: status === undefined ? 'The site has no devices' : `No device is ${status}`,
      }}
    >
      {(rows) => (
        <DataTable
          caption="Devices"
          rows={rows}
          toKey={({ deviceUuid }) => deviceUuid}
          loadMore={devices.loadMore}
          detail={(device) => <DeviceDetail device={device} />}
          columns={[
            { header: 'Device', cell: ({ deviceName }) => deviceName },
            { header: 'Status', cell: (device) => <StatusBadge status={device.status} /> },
            { header: 'Type', cell: ({ deviceType }) => toDeviceTypeName(deviceType), isMinor: true },
            { header: 'Space', cell: ({ spaceName }) => spaceName, isMinor: true },
            { header: 'Last seen', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
            {
              header: 'Battery',
              cell: ({ batteryPercent }) => formatValue(batteryPercent, '%'),
              isNumber: true,
              isMinor: true,
            },
          ]}
        />
      )}
    </ResourcePanel>
  )
}

function DeviceDetail({ device }: { device: OperatorDevice }): JSX.Element {
  return (
    <div class="stack">
      {device.latestReadings.length > 0 && (
        <dl class="facts">
          {device.latestReadings.map(({ metricType, timestamp, value }) => (
            <Fragment key={metricType}>
              <dt>{toMetricName(metricType)}</dt>
              <dd>
                {formatValue(value)}{' '}
                <span class="quiet">
                  <Moment at={timestamp} />
                </span>
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      <RecordView record={device} />
    </div>
  )
}

function GatewaysPanel({ siteUuid, say }: { siteUuid: string; say: (text: string) => void }): JSX.Element {
  const gateways = useCall<{ data: Gateway[] }>(operator('GET', `/sites/${siteUuid}/gateways`))
  const [name, setName] = useState('')
  const [added, setAdded] = useState<AddedGateway>()
  return (
    <ResourcePanel
      id="gateways"
      title="Gateways"
      lead="Accounts at the MQTT broker. Each may use the topics of this site only."
      resource={gateways}
    >
      {({ data }) => (
        <>
          {data.length > 0 && (
            <DataTable
              caption="Gateways"
              rows={data}
              toKey={({ gatewayUuid }) => gatewayUuid}
              columns={[
                { header: 'Name', cell: (gateway) => gateway.name },
                { header: 'MQTT user name', cell: ({ mqttUsername }) => <code>{mqttUsername}</code> },
                { header: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} />, isMinor: true },
                {
                  header: 'Change',
                  isNumber: true,
                  cell: (gateway) => (
                    <ConfirmButton<void>
                      label="Remove"
                      subject={gateway.name}
                      title={`Remove ${gateway.name}?`}
                      confirm="Remove the gateway"
                      isSmall
                      isDanger
                      call={operator('DELETE', `/sites/${siteUuid}/gateways/${gateway.gatewayUuid}`)}
                      onAnswer={() => {
                        say('The gateway is removed.')
                        gateways.reload()
                      }}
                    >
                      <p>
                        It is disconnected and cannot connect again. Devices behind it neither report nor
                        receive commands until another gateway speaks for them.
                      </p>
                    </ConfirmButton>
                  ),
                },
              ]}
            />
          )}
          <CallForm<AddedGateway>
            subject="Add a gateway"
            label="Add a gateway"
            isQuiet
            call={
              name.trim() === ''
                ? undefined
                : operator('POST', `/sites/${siteUuid}/gateways`, { body: { name: name.trim() } })
            }
            onAnswer={(gateway) => {
              setName('')
              setAdded(gateway)
              gateways.reload()
            }}
          >
            <Field label="Name of the new gateway">
              {(control) => (
                <input
                  {...control}
                  type="text"
                  required
                  maxLength={200}
                  placeholder="Plant room"
                  value={name}
                  onInput={({ currentTarget }) => setName(currentTarget.value)}
                />
              )}
            </Field>
          </CallForm>
          {added && (
            <ShownOnce
              title={`MQTT credentials of ${added.name}`}
              text={toGatewayEnvironment(added)}
              fileName="gateway.env"
              onClose={() => {
                setAdded(undefined)
                say('The gateway is added.')
              }}
            >
              <p>
                Topics begin with <code>portico/v1/{added.siteUuid}/</code>; see{' '}
                <a href="/docs/api/mqtt">the documentation of MQTT</a>.
              </p>
            </ShownOnce>
          )}
        </>
      )}
    </ResourcePanel>
  )
}

function DownloadPanel({ site }: { site: OperatorSite }): JSX.Element {
  const call = operator('GET', `/inventory/${site.siteUuid}`)
  const download = useAction(async () => {
    const { data } = await send<Inventory>(call)
    saveFile(`${toFileName(site.siteName)}.json`, `${JSON.stringify(data, null, 2)}\n`, 'application/json')
  })
  return (
    <Panel
      title="Inventory"
      lead="Site, buildings, spaces and devices as one JSON document. Applying it again unchanged changes nothing."
      calls={[call]}
      actions={
        <button
          type="button"
          class="button small"
          disabled={download.isRunning}
          onClick={() => void download.run()}
        >
          {download.isRunning ? 'Preparing…' : 'Download as JSON'}
        </button>
      }
    >
      {download.error && <ErrorNote error={download.error} />}
    </Panel>
  )
}

const toFileName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'site'
