import type { NewWebhook, Webhook } from '@portico/sdk'
import { EVENT_TYPES } from '../events/words.ts'

export type WebhookEventType = (typeof EVENT_TYPES)[number]

/** The settings of a webhook as the form has them. */
export interface WebhookDraft {
  url: string
  description: string
  isAllTypes: boolean
  eventTypes: readonly WebhookEventType[]
  isAllSites: boolean
  siteUuids: readonly string[]
  heartbeat: boolean
}

export const EMPTY_DRAFT: WebhookDraft = {
  url: '',
  description: '',
  isAllTypes: true,
  eventTypes: [],
  isAllSites: true,
  siteUuids: [],
  heartbeat: false,
}

export const toDraft = ({ url, description, eventTypes, siteUuids, heartbeat }: Webhook): WebhookDraft => ({
  url,
  description: description ?? '',
  isAllTypes: eventTypes === null,
  eventTypes: EVENT_TYPES.filter((type) => eventTypes?.includes(type)),
  isAllSites: siteUuids === null,
  siteUuids: siteUuids ?? [],
  heartbeat,
})

/** The settings as the API expects them; for a new webhook, unset fields are omitted. */
export function toNewWebhook(draft: WebhookDraft): NewWebhook {
  const all = toSettings(draft)
  return {
    url: all.url,
    ...(all.description !== null && { description: all.description }),
    ...(all.eventTypes !== null && { eventTypes: all.eventTypes }),
    ...(all.siteUuids !== null && { siteUuids: all.siteUuids }),
    ...(all.heartbeat && { heartbeat: true }),
  }
}

const toSettings = (draft: WebhookDraft): Required<NewWebhook> => ({
  url: draft.url.trim(),
  description: draft.description.trim() === '' ? null : draft.description.trim(),
  eventTypes: draft.isAllTypes ? null : [...draft.eventTypes],
  siteUuids: draft.isAllSites ? null : [...draft.siteUuids],
  heartbeat: draft.heartbeat,
})

/** Only the fields that differ, so that a change leaves everything else as it is. */
export function toChanges(before: Webhook, draft: WebhookDraft): Partial<Required<NewWebhook>> {
  const old: Readonly<Record<string, unknown>> = toSettings(toDraft(before))
  return Object.fromEntries(
    Object.entries(toSettings(draft)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
    ),
  )
}

/** Errors that the form detects before anything is sent, by field of the request. */
export function findDraftProblem(draft: WebhookDraft): { field: string; message: string } | undefined {
  if (!/^https?:\/\/[^/]/i.test(draft.url.trim()))
    return { field: 'url', message: 'Enter an address that begins with https://.' }
  if (!draft.isAllTypes && draft.eventTypes.length === 0)
    return { field: 'eventTypes', message: 'Choose at least one type.' }
  if (!draft.isAllSites && draft.siteUuids.length === 0)
    return { field: 'siteUuids', message: 'Choose at least one site.' }
  return undefined
}
