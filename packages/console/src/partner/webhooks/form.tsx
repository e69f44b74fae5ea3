import { ApiError, type SiteRecord } from '@portico/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ApiCall } from '../../api.ts'
import { CheckboxGroup, Field } from '../../components/form.tsx'
import { ShowCall } from '../../components/show-call.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { useAction } from '../../resource.ts'
import { findMessage, listFieldErrors } from '../devices/schedule/errors.ts'
import { EVENT_TYPES } from '../events/words.ts'
import { findDraftProblem, type WebhookDraft, type WebhookEventType } from './draft.ts'

interface WebhookFormProps {
  first: WebhookDraft
  sites: readonly SiteRecord[]
  submitName: string
  toCall: (draft: WebhookDraft) => ApiCall
  onSubmit: (call: ApiCall) => Promise<void>
}

const FIELDS = ['url', 'eventTypes', 'siteUuids', 'description']

/** The settings of a webhook. */
export function WebhookForm({ first, sites, submitName, toCall, onSubmit }: WebhookFormProps): JSX.Element {
  const [draft, setDraft] = useState(first)
  const [isChecked, setChecked] = useState(false)
  const action = useAction(onSubmit)
  const call = toCall(draft)
  const problem = isChecked ? findDraftProblem(draft) : undefined
  const findError = (field: string): string | undefined =>
    problem?.field === field ? problem.message : findMessage(listFieldErrors(action.error), field)
  const change = (changes: Partial<WebhookDraft>): void => {
    setDraft((held) => ({ ...held, ...changes }))
    action.clear()
  }
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (!findDraftProblem(draft)) void action.run(call)
      }}
    >
      <Field
        label="Address"
        hint="An https address that is reachable from the server."
        error={findError('url')}
      >
        {(field) => (
          <input
            {...field}
            type="url"
            required
            maxLength={2048}
            placeholder="https://partner.example.com/portico"
            value={draft.url}
            aria-invalid={findError('url') !== undefined}
            onInput={({ currentTarget }) => change({ url: currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Note" hint="For yourself." error={findError('description')}>
        {(field) => (
          <input
            {...field}
            type="text"
            maxLength={255}
            value={draft.description}
            onInput={({ currentTarget }) => change({ description: currentTarget.value })}
          />
        )}
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.isAllTypes}
          onChange={({ currentTarget }) => change({ isAllTypes: currentTarget.checked })}
        />
        <span>All types of events, later ones included</span>
      </label>
      {!draft.isAllTypes && (
        <CheckboxGroup<WebhookEventType>
          legend="Types of events"
          options={EVENT_TYPES.map((type) => ({ value: type, name: type }))}
          value={draft.eventTypes}
          onChange={(eventTypes) => change({ eventTypes })}
        />
      )}
      {findError('eventTypes') && <p class="field-error">{findError('eventTypes')}</p>}
      <label class="check">
        <input
          type="checkbox"
          checked={draft.isAllSites}
          onChange={({ currentTarget }) => change({ isAllSites: currentTarget.checked })}
        />
        <span>All sites, later ones included</span>
      </label>
      {!draft.isAllSites && (
        <CheckboxGroup
          legend="Sites"
          options={sites.map(({ siteUuid, siteName }) => ({ value: siteUuid, name: siteName }))}
          value={draft.siteUuids}
          onChange={(siteUuids) => change({ siteUuids })}
        />
      )}
      {findError('siteUuids') && <p class="field-error">{findError('siteUuids')}</p>}
      <label class="check">
        <input
          type="checkbox"
          checked={draft.heartbeat}
          onChange={({ currentTarget }) => change({ heartbeat: currentTarget.checked })}
        />
        <span>
          Send <code>webhook.heartbeat</code> every hour
        </span>
      </label>
      {action.error && !isShownAtFields(action.error) && <ErrorNote error={action.error} />}
      <div class="actions">
        <button class="button primary" disabled={action.isRunning}>
          {submitName}
        </button>
        <ShowCall calls={[call]} subject={submitName} />
      </div>
    </form>
  )
}

const isShownAtFields = (error: Error): boolean =>
  error instanceof ApiError &&
  error.errors.length > 0 &&
  error.errors.every(({ field }) => FIELDS.includes(field))
