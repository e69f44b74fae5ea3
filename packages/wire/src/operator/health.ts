import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Instant, Uuid } from '../uuid.ts'
import { DeviceCounts } from './site.ts'

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })
const name = (description: string, example: string) => Type.String({ description, examples: [example] })
const NullableInstant = Type.Union([Instant, Type.Null()])

const Ingest = Type.Object(
  {
    readingsPerMinute: Type.Number({
      minimum: 0,
      description: 'Readings that this instance has stored, on average since the previous refresh.',
      examples: [412.5],
    }),
    newestReadingAt: about(
      NullableInstant,
      'Time of the newest reading; null if there is none.',
      '2026-11-16T09:29:58.000Z',
    ),
    waitingToBePacked: count(
      'Readings that are stored but not compressed yet; always 0 on PostgreSQL.',
      1280,
    ),
    waitingRollups: count('Entries of the rollup queue that are due.', 0),
  },
  { additionalProperties: false, description: 'How readings arrive.' },
)

const SiteDevices = Type.Object(
  {
    siteUuid: about(Uuid, 'The site.', EXAMPLE.siteUuid),
    siteName: name('Its name.', 'Aldgate Court'),
    devices: about(DeviceCounts, 'Its devices by status.'),
  },
  { additionalProperties: false },
)

const Failing = Type.Object(
  {
    webhookUuid: about(Uuid, 'The webhook.', EXAMPLE.webhookUuid),
    partnerUuid: about(Uuid, 'The partner that it belongs to.', EXAMPLE.partnerUuid),
    url: name('Its address.', 'https://partner.example.com/portico'),
    failingSince: about(
      NullableInstant,
      'Since when its endpoint has been failing, also if it was disabled for that; otherwise null.',
      '2026-11-16T08:00:00.000Z',
    ),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it is disabled; null if it is not.',
      examples: [null],
    }),
  },
  { additionalProperties: false },
)

const Expiring = Type.Object(
  {
    partnerUuid: about(Uuid, 'The partner.', EXAMPLE.partnerUuid),
    partnerName: name('Its name.', 'Residents’ app'),
    secretId: about(Uuid, 'The secret.', EXAMPLE.secretId),
    hint: name('The first four characters of its value.', 'q7Fd'),
    expiresAt: about(Instant, 'When it expires.', '2026-12-01T09:30:00.000Z'),
  },
  { additionalProperties: false },
)

export const InstallationHealth = Type.Object(
  {
    version: name('The version of the server.', '0.1.0'),
    startedAt: about(Instant, 'When the process that responds was started.', '2026-11-15T22:00:00.000Z'),
    uptimeSeconds: count('How long it has been running.', 41_400),
    refreshedAt: about(
      Instant,
      'When the numbers below were read, at most a minute ago.',
      '2026-11-16T09:30:00.000Z',
    ),
    notReady: Type.Array(Type.String(), {
      description: 'Why the server is not ready, as in GET /ready; empty if it is.',
      examples: [[]],
    }),
    ingest: Ingest,
    devices: Type.Object(
      {
        ...DeviceCounts.properties,
        sites: Type.Array(SiteDevices, {
          description:
            'The 20 sites with the most devices offline, the worst first; sites without any are left out.',
        }),
      },
      { additionalProperties: false, description: 'Devices of all sites by status.' },
    ),
    rejected: Type.Array(
      Type.Object(
        {
          reason: name('The code.', 'not-json'),
          messages: count('Messages.', 3),
        },
        { additionalProperties: false },
      ),
      { description: 'Messages that were rejected within the last hour, by reason, most first.' },
    ),
    commands: Type.Array(
      Type.Object(
        {
          state: Type.Enum(['PENDING', 'SENT', 'DELIVERED', 'CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED'], {
            description: 'The state.',
            examples: ['CONFIRMED'],
          }),
          commands: count('Commands.', 18),
        },
        { additionalProperties: false },
      ),
      {
        description:
          'Commands by state: those that are not finished, and those that were finished since 00:00 UTC.',
      },
    ),
    webhooks: Type.Object(
      {
        enabled: count('Webhooks that are enabled.', 4),
        failing: count('Enabled webhooks whose endpoint is failing.', 1),
        disabled: count('Webhooks that are disabled.', 0),
        attention: Type.Array(Failing, { description: 'The failing and disabled ones, at most 100.' }),
      },
      { additionalProperties: false, description: 'Webhooks of all partners.' },
    ),
    expiringSecrets: Type.Array(Expiring, {
      description: 'Secrets of enabled partners that expire within 30 days, the next one first, at most 100.',
    }),
    v1: Type.Object(
      {
        calls: count('Calls to version 1 within 24 hours: in the current hour and the 23 before it.', 4120),
        partners: count('Partners that have called version 1 within 24 hours.', 2),
        endpoints: count('Endpoints that they have called.', 5),
        lastSeenAt: about(
          NullableInstant,
          'The last call ever; null if there was none.',
          '2026-11-16T09:12:00.000Z',
        ),
      },
      { additionalProperties: false, description: 'Use of version 1.' },
    ),
  },
  {
    title: 'InstallationHealth',
    additionalProperties: false,
    description: 'An overview of problems.',
  },
)

export type InstallationHealth = Static<typeof InstallationHealth>
