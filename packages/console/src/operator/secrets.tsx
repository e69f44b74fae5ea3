import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AddedSecret, PartnerWithSecrets } from '@portico/sdk/operator'
import { type ApiCall, operator } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { CallForm } from '../components/call-form.tsx'
import { ConfirmButton } from '../components/confirm.tsx'
import { Field } from '../components/form.tsx'
import { Moment } from '../components/moment.tsx'
import { ShownOnce } from '../components/once.tsx'
import { Panel } from '../components/panel.tsx'
import { DataTable } from '../components/table.tsx'
import { findStep, toExpiry } from './rotation.ts'

interface SecretsPanelProps {
  partner: PartnerWithSecrets
  call: ApiCall | undefined
  onChanged: (text: string) => void
}

/** The secrets of a partner and how to replace one without an interruption. */
export function SecretsPanel({ partner, call, onChanged }: SecretsPanelProps): JSX.Element {
  const [days, setDays] = useState('365')
  const [added, setAdded] = useState<AddedSecret>()
  const { partnerUuid, name, secrets } = partner
  const step = findStep(secrets, Date.now())
  const isLast = secrets.length === 1
  return (
    <Panel
      id="secrets"
      title="Secrets"
      lead="A partner can have up to five secrets, so that one can be replaced without an interruption."
      calls={[call]}
    >
      {secrets.length > 0 ? (
        <DataTable
          caption="Secrets"
          rows={secrets}
          toKey={({ secretId }) => secretId}
          columns={[
            { header: 'Begins with', cell: ({ hint }) => <code>{hint}…</code> },
            {
              header: 'Last used',
              cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} never="never used" />,
            },
            {
              header: 'Expires',
              cell: ({ expiresAt }) => (
                <>
                  <Moment at={expiresAt} /> <ExpiryBadge expiresAt={expiresAt} />
                </>
              ),
            },
            { header: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} />, isMinor: true },
            {
              header: 'Change',
              isNumber: true,
              cell: ({ secretId, hint, lastUsedAt }) => (
                <ConfirmButton<void>
                  label="Remove"
                  subject={`the secret ${hint}…`}
                  title={`Remove the secret ${hint}…?`}
                  confirm="Remove the secret"
                  isSmall
                  isDanger
                  call={operator('DELETE', `/partners/${partnerUuid}/secrets/${secretId}`)}
                  onAnswer={() => onChanged('The secret is removed.')}
                >
                  {isLast && (
                    <p class="note warning">
                      This is the only secret: {name} gets no more tokens without it.
                    </p>
                  )}
                  <p>
                    It was last used <Moment at={lastUsedAt} never="never" />. No more tokens are issued for
                    it; tokens already issued stay valid until they expire, for an hour at most.
                  </p>
                </ConfirmButton>
              ),
            },
          ]}
        />
      ) : (
        <p class="quiet">The partner has no secret and cannot get tokens.</p>
      )}
      <details class="rotation" open={step > 1}>
        <summary>Replace a secret without an interruption</summary>
        <ol class="steps">
          <li aria-current={step === 1 ? 'step' : undefined}>
            Add a second secret and pass it on. Both are valid.
          </li>
          <li aria-current={step === 2 ? 'step' : undefined}>
            Wait until the partner uses the new one: “last used” of the new secret changes.
          </li>
          <li aria-current={step === 3 ? 'step' : undefined}>Remove the old one.</li>
        </ol>
      </details>
      <CallForm<AddedSecret>
        subject="Add a secret"
        label="Add a secret"
        isQuiet
        call={operator('POST', `/partners/${partnerUuid}/secrets`, { body: { expiresInDays: Number(days) } })}
        onAnswer={setAdded}
      >
        <Field label="Days until it expires">
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              max={3650}
              required
              value={days}
              onInput={({ currentTarget }) => setDays(currentTarget.value)}
            />
          )}
        </Field>
      </CallForm>
      {added && (
        <ShownOnce
          title={`New secret of ${name}`}
          text={`PORTICO_CLIENT_ID=${partner.clientId}\nPORTICO_CLIENT_SECRET=${added.clientSecret}\n`}
          fileName="portico.env"
          onClose={() => {
            setAdded(undefined)
            onChanged('The secret is added. The old ones remain valid until you remove them.')
          }}
        />
      )}
    </Panel>
  )
}

export function ExpiryBadge({ expiresAt }: { expiresAt: string }): JSX.Element | null {
  const expiry = toExpiry(expiresAt, Date.now())
  if (expiry === 'expired') return <Badge tone="bad">expired</Badge>
  if (expiry === 'soon') return <Badge tone="warning">soon</Badge>
  return null
}
