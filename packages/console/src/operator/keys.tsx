import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Key, RotatedKey } from '@portico/sdk/operator'
import { operator } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { ConfirmButton } from '../components/confirm.tsx'
import { Moment } from '../components/moment.tsx'
import { useNotice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { ResourcePanel } from '../components/panel.tsx'
import { DataTable } from '../components/table.tsx'
import { useCall } from '../resource.ts'

export function KeysPage(): JSX.Element {
  const keys = useCall<{ data: Key[] }>(operator('GET', '/keys'))
  const { notice, say } = useNotice()
  const [revokePrevious, setRevokePrevious] = useState(false)
  return (
    <Page
      title="Signing keys"
      lead="The key that signs new access tokens, and those that still verify older ones."
      actions={
        <ConfirmButton<RotatedKey>
          label="Rotate"
          title="Rotate the signing key?"
          confirm={revokePrevious ? 'Rotate and revoke all tokens' : 'Rotate the key'}
          isDanger={revokePrevious}
          call={operator('POST', '/keys/rotate', { body: revokePrevious ? { revokePrevious } : {} })}
          onAnswer={({ kid }) => {
            say(`New tokens are signed with ${kid}.`)
            setRevokePrevious(false)
            keys.reload()
          }}
        >
          <p>
            New tokens are signed with a new key immediately. The current key still verifies the tokens that
            it signed until the last of them has expired, so partners are not affected.
          </p>
          <label class="acceptance">
            <input
              type="checkbox"
              checked={revokePrevious}
              onChange={({ currentTarget }) => setRevokePrevious(currentTarget.checked)}
            />
            <span>
              A key has leaked: also revoke every token signed so far. Requests of all partners fail with 401
              until they have a new token.
            </span>
          </label>
        </ConfirmButton>
      }
    >
      {notice}
      <ResourcePanel
        title="Keys"
        resource={keys}
        empty={{
          when: ({ data }) => data.length === 0,
          title: 'There is no key yet',
          text: 'The first one is created when a token is needed.',
        }}
      >
        {({ data }) => (
          <DataTable
            caption="Signing keys"
            rows={data}
            toKey={({ kid }) => kid}
            columns={[
              { header: 'Key', cell: ({ kid }) => <code>{kid}</code> },
              {
                header: 'Use',
                cell: ({ retiredAt }) =>
                  retiredAt === null ? <Badge tone="good">signs</Badge> : <Badge>verifies</Badge>,
              },
              { header: 'Algorithm', cell: ({ algorithm }) => algorithm },
              { header: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
              { header: 'Replaced', cell: ({ retiredAt }) => <Moment at={retiredAt} never="–" /> },
            ]}
          />
        )}
      </ResourcePanel>
    </Page>
  )
}
