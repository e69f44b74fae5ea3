import { type Static, Type } from 'typebox'
import { about, FORM } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Instant, Uuid } from '../uuid.ts'

const SESSION_ID = 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg'

export const SessionId = Type.String({
  pattern: '^[\\w-]{43}$',
  [FORM]: 'the identifier of a session, from GET /sessions',
  description: 'The identifier of a session, from GET /sessions. It does not reveal the cookie.',
  examples: [SESSION_ID],
})

export const ConsoleSession = Type.Object(
  {
    sessionId: SessionId,
    partnerUuid: about(Uuid, 'The partner that is signed in.', EXAMPLE.partnerUuid),
    partnerName: Type.String({ description: 'The name of the partner.', examples: ['Residents’ app'] }),
    secretId: about(
      Type.Union([Uuid, Type.Null()]),
      'The secret with which it was opened, and with which it ends; null for a one-time link.',
      EXAMPLE.secretId,
    ),
    createdAt: about(Instant, 'When the browser signed in.', '2026-11-16T09:30:00.000Z'),
    expiresAt: about(Instant, 'When the session ends.', '2026-11-16T17:30:00.000Z'),
    address: Type.String({ description: 'The address of the browser.', examples: ['192.0.2.17'] }),
    agent: Type.String({
      description: 'The browser, as it describes itself.',
      examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
    }),
  },
  {
    title: 'ConsoleSession',
    additionalProperties: false,
    description: 'A browser that is signed in to the web console.',
  },
)

export type ConsoleSession = Static<typeof ConsoleSession>

export const NewConsoleLink = Type.Object(
  {
    partnerUuid: Type.Optional(
      about(Uuid, 'The partner to sign in as; the caller if absent.', EXAMPLE.partnerUuid),
    ),
  },
  { title: 'NewConsoleLink', additionalProperties: false, description: 'The link to create.' },
)

export type NewConsoleLink = Static<typeof NewConsoleLink>

export const ConsoleLink = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'The address to open in a browser, once.',
      examples: [`https://api.example.com/console/enter?code=${SESSION_ID}`],
    }),
    partnerUuid: about(Uuid, 'The partner that it signs in as.', EXAMPLE.partnerUuid),
    expiresAt: about(Instant, 'When it becomes invalid.', '2026-11-16T09:35:00.000Z'),
  },
  { title: 'ConsoleLink', additionalProperties: false, description: 'A one-time link to the web console.' },
)

export type ConsoleLink = Static<typeof ConsoleLink>
