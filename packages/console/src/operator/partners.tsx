import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AddedPartner, NewPartner, Partner } from '@portico/sdk/operator'
import { operator } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { CallForm } from '../components/call-form.tsx'
import { Filters, SelectFilter, TextFilter } from '../components/filters.tsx'
import { CheckboxGroup, Field } from '../components/form.tsx'
import { Moment } from '../components/moment.tsx'
import { ShownOnce } from '../components/once.tsx'
import { Page } from '../components/page.tsx'
import { Panel, ResourcePanel } from '../components/panel.tsx'
import { DataTable } from '../components/table.tsx'
import { plural } from '../format.ts'
import { useList } from '../resource.ts'
import { getQuery, navigate } from '../route.ts'
import { toEnvironment } from './environment.ts'
import { MOST_NAMES, toPartnerPage, useSites } from './names.ts'
import { type Role, ROLES, USUAL_ROLES } from './roles.ts'

export function PartnersPage(): JSX.Element {
  const isFiltered = ['search', 'role', 'state'].some((name) => getQuery(name) !== undefined)
  // The API does not filter partners: they are searched for in as many as one request returns.
  const partners = useList<Partner>(operator('GET', '/partners'), isFiltered ? { limit: MOST_NAMES } : {})
  const isShown = toFilter()
  return (
    <Page
      title="Partners"
      lead="Organisations that call the API, each with its own credentials, roles and sites."
      actions={
        <a class="button primary" href="/console/operator/partners/new">
          Add a partner
        </a>
      }
    >
      <Filters>
        <TextFilter label="Name or client" name="search" />
        <SelectFilter label="Role" name="role" options={ROLES} />
        <SelectFilter
          label="State"
          name="state"
          options={[
            { value: 'enabled', name: 'Enabled' },
            { value: 'disabled', name: 'Disabled' },
          ]}
        />
      </Filters>
      <ResourcePanel
        title="All partners"
        resource={partners}
        empty={{
          when: (rows) => !rows.some(isShown),
          title: 'No partner matches',
          text: 'Change the filters, or add a partner.',
        }}
      >
        {(rows) => (
          <DataTable
            caption="Partners"
            rows={rows.filter(isShown)}
            toKey={({ partnerUuid }) => partnerUuid}
            loadMore={partners.loadMore}
            columns={[
              {
                header: 'Name',
                cell: ({ name, partnerUuid }) => (
                  <a class="name" href={toPartnerPage(partnerUuid)}>
                    {name}
                  </a>
                ),
              },
              {
                header: 'State',
                cell: ({ enabled }) =>
                  enabled ? <Badge tone="good">enabled</Badge> : <Badge tone="bad">disabled</Badge>,
              },
              { header: 'Roles', cell: ({ roles }) => <span class="quiet">{roles.join(', ') || '–'}</span> },
              { header: 'Sites', cell: ({ sites }) => sites.length, isNumber: true },
              { header: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} />, isMinor: true },
            ]}
          />
        )}
      </ResourcePanel>
    </Page>
  )
}

function toFilter(): (partner: Partner) => boolean {
  const search = (getQuery('search') ?? '').toLowerCase()
  const role = getQuery('role')
  const state = getQuery('state')
  return ({ name, clientId, partnerUuid, roles, enabled }) =>
    [name, clientId, partnerUuid].some((text) => text.toLowerCase().includes(search)) &&
    (role === undefined || roles.includes(role)) &&
    (state === undefined || enabled === (state === 'enabled'))
}

const DEFAULT_DAYS = 365

export function AddPartnerPage(): JSX.Element {
  const sites = useSites()
  const [name, setName] = useState('')
  const [roles, setRoles] = useState<readonly Role[]>(USUAL_ROLES)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [days, setDays] = useState(String(DEFAULT_DAYS))
  const [added, setAdded] = useState<AddedPartner>()
  const body: NewPartner = {
    name: name.trim(),
    roles: [...roles],
    sites: [...chosen],
    ...(days === '' || Number(days) === DEFAULT_DAYS ? {} : { expiresInDays: Number(days) }),
  }
  return (
    <Page
      title="Add a partner"
      crumbs={[{ href: '/console/operator/partners', name: 'Partners' }]}
      lead="The partner receives credentials, which are shown once. Everything else can be changed later."
    >
      <Panel title="New partner">
        <CallForm<AddedPartner>
          subject="Add a partner"
          call={body.name === '' ? undefined : operator('POST', '/partners', { body })}
          label="Add the partner"
          onAnswer={setAdded}
        >
          <Field label="Name" hint="As it appears in this console and in the audit log.">
            {(control) => (
              <input
                {...control}
                type="text"
                required
                maxLength={200}
                autocomplete="off"
                value={name}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            )}
          </Field>
          <CheckboxGroup legend="Roles" options={ROLES} value={roles} onChange={setRoles} />
          {sites.data && sites.data.length > 0 ? (
            <CheckboxGroup
              legend="Sites"
              options={sites.data.map(({ siteUuid, siteName, timeZone }) => ({
                value: siteUuid,
                name: siteName,
                hint: timeZone,
              }))}
              value={chosen}
              onChange={setChosen}
            />
          ) : (
            <p class="quiet">
              {sites.data ? 'There is no site yet; grant sites later.' : 'Loading the sites…'}
            </p>
          )}
          <Field label="Days until the secret expires">
            {(control) => (
              <input
                {...control}
                type="number"
                min={1}
                max={3650}
                value={days}
                onInput={({ currentTarget }) => setDays(currentTarget.value)}
              />
            )}
          </Field>
        </CallForm>
      </Panel>
      {added && (
        <ShownOnce
          title={`Credentials of ${added.name}`}
          text={toEnvironment(added)}
          fileName="portico.env"
          onClose={() => navigate(toPartnerPage(added.partnerUuid))}
        >
          <p>
            Pass the file on through a channel that you trust. It has access to{' '}
            {plural(added.sites.length, 'site')}; its secret expires <Moment at={added.secret.expiresAt} />.
          </p>
        </ShownOnce>
      )}
    </Page>
  )
}
