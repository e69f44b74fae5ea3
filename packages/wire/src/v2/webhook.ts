import { type Static, type TSchema, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Instant, Uuid } from '../uuid.ts'
import { EventType } from './event-type.ts'

const URL_EXAMPLE = 'https://partner.example.com/portico'

const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description:
    'Where events are sent, as POST requests: an https address without a user, password or fragment.',
  examples: [URL_EXAMPLE],
})

const Description = Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
  description: 'Your own note about the webhook.',
  examples: ['Production'],
})

const EventTypes = Type.Union([Type.Array(EventType, { minItems: 1, maxItems: 50 }), Type.Null()], {
  description: 'The types of events to send; null for all that your roles allow.',
  examples: [['command.updated']],
})

const SiteUuids = Type.Union([Type.Array(Uuid, { minItems: 1, maxItems: 10_000 }), Type.Null()], {
  description: 'The sites whose events are sent; null for all sites granted to you, later ones included.',
  examples: [null],
})

const Heartbeat = Type.Boolean({
  description: 'Whether `webhook.heartbeat` is sent every hour, with the number of waiting events.',
  examples: [false],
})

export const NewWebhook = Type.Object(
  {
    url: Url,
    description: Type.Optional(Description),
    eventTypes: Type.Optional(EventTypes),
    siteUuids: Type.Optional(SiteUuids),
    heartbeat: Type.Optional(Heartbeat),
  },
  { title: 'NewWebhook', additionalProperties: false, description: 'The webhook to add.' },
)

export const WebhookChanges = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    eventTypes: Type.Optional(EventTypes),
    siteUuids: Type.Optional(SiteUuids),
    heartbeat: Type.Optional(Heartbeat),
    state: Type.Optional(
      Type.Enum(['enabled', 'paused'], {
        description: 'paused: events wait in the log until the webhook is enabled again.',
        examples: ['paused'],
      }),
    ),
  },
  {
    title: 'WebhookChanges',
    additionalProperties: false,
    description: 'Changes to a webhook. Fields that are absent stay as they are.',
  },
)

const orNull = (description: string, example: string | null) =>
  Type.Union([Instant, Type.Null()], { description, examples: [example] })

const webhookFields = {
  webhookUuid: about(Uuid, 'The identifier of the webhook.', EXAMPLE.webhookUuid),
  url: Type.String({ description: 'Where events are sent.', examples: [URL_EXAMPLE] }),
  description: Type.Union([Type.String(), Type.Null()], {
    description: 'Your own note about the webhook.',
    examples: ['Production'],
  }),
  eventTypes: EventTypes,
  siteUuids: SiteUuids,
  heartbeat: Heartbeat,
  state: Type.Enum(['enabled', 'paused', 'disabled'], {
    description: 'paused: by you; disabled: by the server or the operator, see `reason`.',
    examples: ['enabled'],
  }),
  reason: Type.Union([Type.Enum(['failing', 'gone', 'operator']), Type.Null()], {
    description:
      'Why it is disabled. failing: no request succeeded for five days; gone: the endpoint answered 410; operator: ' +
      'by the operator.',
    examples: [null],
  }),
  failingSince: orNull('Since when the endpoint has been failing; null while it works.', null),
  lastDeliveredAt: orNull('When an event was last delivered.', '2026-11-16T09:31:12.000Z'),
  waiting: Type.Integer({
    description:
      'Events that are not delivered yet. While the webhook is failing, paused or disabled, events of other types count too.',
    examples: [0],
  }),
  oldestWaitingAt: orNull('When the oldest of them was recorded.', null),
  lost: Type.Integer({
    description: 'Events that were removed from the log before they could be delivered.',
    examples: [0],
  }),
  createdAt: about(Instant, 'When it was added.', '2026-11-16T09:30:00.000Z'),
  updatedAt: about(Instant, 'When it was last changed.', '2026-11-16T09:30:00.000Z'),
}

export const Webhook = Type.Object(webhookFields, {
  title: 'Webhook',
  additionalProperties: false,
  description: 'An address to which events are sent, and the state of its deliveries.',
})

export type Webhook = Static<typeof Webhook>

const SecretValue = Type.String({
  description: 'The key that verifies signatures (Standard Webhooks). Shown only here.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…'],
})

export const AddedWebhook = Type.Object(
  {
    ...webhookFields,
    lastDeliveredAt: orNull('When an event was last delivered.', null),
    secret: SecretValue,
  },
  { title: 'AddedWebhook', additionalProperties: false, description: 'A new webhook with its secret.' },
)

export type AddedWebhook = Static<typeof AddedWebhook>

export const AddedWebhookSecret = Type.Object(
  {
    secret: SecretValue,
    previousEndsAt: about(
      Instant,
      'Until then, requests also carry a signature of the previous secret.',
      '2026-11-17T09:30:00.000Z',
    ),
  },
  {
    title: 'AddedWebhookSecret',
    additionalProperties: false,
    description: 'The new secret of a webhook, and how long the previous one is used too.',
  },
)

export type AddedWebhookSecret = Static<typeof AddedWebhookSecret>

export const EnableBody = Type.Object(
  {
    from: Type.Optional(
      Type.Enum(['where-it-stopped', 'now'], {
        description:
          'where-it-stopped, the default: all waiting events are sent. now: waiting events are skipped.',
        examples: ['where-it-stopped'],
      }),
    ),
  },
  {
    title: 'EnableBody',
    additionalProperties: false,
    description: 'Where a webhook continues when it is enabled again.',
  },
)

const ATTEMPT_ERRORS = [
  'connection-failed',
  'tls-failed',
  'timeout',
  'address-not-allowed',
  'too-large',
  'status',
] as const

const Status = Type.Union([Type.Integer(), Type.Null()], {
  description: 'The HTTP status of the response; null without one.',
  examples: [503],
})
const AttemptError = Type.Union([Type.Enum([...ATTEMPT_ERRORS]), Type.Null()], {
  description:
    'Why the request failed; `status` is a response other than 2xx, `too-large` one with too many headers.',
  examples: ['status'],
})
const DurationMs = Type.Integer({ description: 'How long the request took.', examples: [87] })
const ResponseText = Type.Union([Type.String(), Type.Null()], {
  description: 'The first 1,024 bytes of the response; null without one.',
  examples: ['Service Unavailable'],
})

export const WebhookTest = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the response was 2xx.', examples: [true] }),
    status: about(Status, 'The HTTP status of the response; null without one.', 200),
    durationMs: DurationMs,
    error: about(AttemptError, 'Why the request failed; null if it did not.', null),
    response: about(ResponseText, 'The first 1,024 bytes of the response; null without one.', 'ok'),
  },
  { title: 'WebhookTest', additionalProperties: false, description: 'The outcome of a test.' },
)

export type WebhookTest = Static<typeof WebhookTest>

const deliveryFields = {
  eventUuid: about(Uuid, 'The event; also the header `webhook-id`.', EXAMPLE.eventUuid),
  siteUuid: about(Uuid, 'The site of the event.', EXAMPLE.siteUuid),
  number: Type.Integer({
    description: 'The number of the event in the log of its site.',
    examples: [18_235],
  }),
  type: EventType,
  state: Type.Enum(['waiting', 'delivered', 'failed'], {
    description: 'failed: ten tries were not successful.',
    examples: ['delivered'],
  }),
  tries: Type.Integer({ description: 'The number of tries so far.', examples: [1] }),
  nextTryAt: orNull('When it is tried next; null unless it is waiting.', null),
  lastStatus: about(Status, 'The HTTP status of the last response; null without one.', 200),
  lastError: about(AttemptError, 'Why the last try failed; null if it did not.', null),
  deliveredAt: orNull('When it was delivered.', '2026-11-16T09:31:12.000Z'),
}

export const WebhookDelivery = Type.Object(deliveryFields, {
  title: 'WebhookDelivery',
  additionalProperties: false,
  description: 'The delivery of one event to a webhook.',
})

export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryWithAttempts = Type.Object(
  {
    ...deliveryFields,
    attempts: Type.Array(
      Type.Object(
        {
          at: about(Instant, 'When the request was sent.', '2026-11-16T09:31:11.913Z'),
          status: about(Status, 'The HTTP status of the response; null without one.', 200),
          error: about(AttemptError, 'Why the request failed; null if it did not.', null),
          durationMs: DurationMs,
          response: about(ResponseText, 'The first 1,024 bytes of the response; null without one.', 'ok'),
        },
        {
          title: 'WebhookAttempt',
          additionalProperties: false,
          description: 'One request to the endpoint, and its outcome.',
        },
      ),
      { description: 'Every request, oldest first.' },
    ),
  },
  {
    title: 'WebhookDeliveryWithAttempts',
    additionalProperties: false,
    description: 'A delivery with every attempt to send it.',
  },
)

export type WebhookDeliveryWithAttempts = Static<typeof WebhookDeliveryWithAttempts>

const limitNumber = (description: string, example: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] }),
  )

const limitTime = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples: [example] }))

export const ReplayBody = Type.Object(
  {
    siteUuid: about(Uuid, 'The site whose events are sent again.', EXAMPLE.siteUuid),
    fromNumber: limitNumber('The first event; the oldest that is kept if absent.', 18_001),
    fromDateTime: limitTime('Instead of fromNumber: the first event since then.', '2026-11-15T00:00:00Z'),
    toNumber: limitNumber('The last event; the newest if absent.', 18_235),
    toDateTime: limitTime('Instead of toNumber: the last event before then.', '2026-11-16T00:00:00Z'),
    eventTypes: Type.Optional(
      Type.Array(EventType, {
        minItems: 1,
        maxItems: 50,
        description: 'Only events of these types.',
        examples: [['command.updated']],
      }),
    ),
    only: Type.Optional(
      Type.Enum(['failed'], { description: 'Only events whose delivery failed.', examples: ['failed'] }),
    ),
  },
  {
    title: 'ReplayBody',
    additionalProperties: false,
    description: 'Which events of a site to send again.',
    examples: [
      { siteUuid: EXAMPLE.siteUuid, fromDateTime: '2026-11-15T00:00:00Z', eventTypes: ['command.updated'] },
    ],
  },
)

export type ReplayBody = Static<typeof ReplayBody>

export const Replay = Type.Object(
  {
    count: Type.Integer({ description: 'Events that are sent again, at most 100,000.', examples: [235] }),
  },
  { title: 'Replay', additionalProperties: false, description: 'How many events will be sent again.' },
)

export type Replay = Static<typeof Replay>

const notice = <T extends string, D extends TSchema>(
  type: T,
  data: D,
  { title, description }: { title: string; description: string },
) =>
  Type.Object(
    {
      eventUuid: about(Uuid, 'Identifies the message.', EXAMPLE.eventUuid),
      type: Type.Literal(type, { description: 'The type of the message.' }),
      version: Type.Literal(1, { description: 'Changes when a field changes its meaning.' }),
      timestamp: about(Instant, 'When it was sent.', '2026-11-16T09:30:02.000Z'),
      data: about(data, 'About the webhook.'),
    },
    { title, description },
  )

/** Messages about a webhook itself. They are not in the log of a site, and are neither retried nor replayed. */
export const NOTICE_SCHEMAS = {
  'webhook.test': notice(
    'webhook.test',
    Type.Object({ webhookUuid: about(Uuid, 'The webhook.', EXAMPLE.webhookUuid) }),
    { title: 'WebhookTestEvent', description: 'Sent on request, to test a webhook.' },
  ),
  'webhook.heartbeat': notice(
    'webhook.heartbeat',
    Type.Object({
      waiting: Type.Integer({ minimum: 0, description: 'The number of events that wait.', examples: [0] }),
      oldestWaitingAt: orNull('Since when the oldest of them has been waiting; null if there is none.', null),
    }),
    {
      title: 'WebhookHeartbeatEvent',
      description: 'Sent every hour if heartbeat is true, with the number of waiting events.',
    },
  ),
} as const
