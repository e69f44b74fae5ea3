import { ConsoleLink, ConsoleSession, NewConsoleLink, SessionId } from '@portico/wire/operator/session'
import { NoQuery, Page, PageQuery } from '@portico/wire/page'
import { Type } from 'typebox'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { pageReply, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { jsonAlways, nothing } from '../../pipeline/produces.ts'
import { jsonReply, NO_CONTENT } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { partnerFilter } from '../list-query.ts'
import { OPERATOR_GATES, toActor } from '../surface.ts'
import { toWireLink, toWireSession } from './convert.ts'

const SessionQuery = Type.Object(
  { ...PageQuery.properties, partnerUuid: partnerFilter('sessions') },
  { additionalProperties: false },
)

export const listSessions = defineRoute({
  method: 'GET',
  path: '/sessions',
  operationId: 'listSessions',
  summary: 'List the console sessions',
  description: 'Browsers that are signed in to the web console, newest first.',
  tags: ['Console'],
  gates: OPERATOR_GATES,
  query: SessionQuery,
  produces: jsonAlways(200, 'One page of sessions', Page(ConsoleSession)),
  errors: ['forbidden'],
  async handle(call, services: Pick<Services, 'sessions' | 'clock' | 'cursors' | 'addresses'>) {
    const { sessions, clock, cursors } = services
    const partnerUuid = call.query.partnerUuid?.toLowerCase()
    const scope = `operator/sessions ${call.caller.partnerUuid} ${partnerUuid ?? ''}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const [createdAt, sessionId] = position?.split(' ') ?? []
    const before = sessionId === undefined ? undefined : { createdAt: Number(createdAt), sessionId }
    const found = await sessions.list(clock.now(), { before, limit: limit + 1, partnerUuid })
    const page = toPage(found, limit, toWireSession, (session) =>
      cursors.encode(scope, `${session.createdAt} ${session.sessionId}`),
    )
    return pageReply(call, services, page, limit)
  },
})

export const endSession = defineRoute({
  method: 'DELETE',
  path: '/sessions/{sessionId}',
  operationId: 'endSession',
  summary: 'End a console session',
  description: 'The browser is signed out, and its access token is invalid, within 5 seconds.',
  tags: ['Console'],
  gates: OPERATOR_GATES,
  params: Type.Object({ sessionId: SessionId }, { additionalProperties: false }),
  query: NoQuery,
  produces: nothing('The session has ended'),
  errors: ['forbidden', 'not-found'],
  async handle(call, { sessions }: Pick<Services, 'sessions'>) {
    await sessions.end(call.params.sessionId, toActor(call))
    return NO_CONTENT
  },
})

const noConsole = (): AppError =>
  new AppError('conflict', 'This installation has no console that could be signed in to.')

export const addConsoleLink = defineRoute({
  method: 'POST',
  path: '/console-links',
  operationId: 'addConsoleLink',
  summary: 'Create a one-time link to the console',
  description: 'Anyone who opens the link within 5 minutes is signed in as the partner. It works once.',
  tags: ['Console'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  body: NewConsoleLink,
  isBodyOptional: true,
  produces: jsonAlways(201, 'The link', ConsoleLink),
  errors: ['forbidden', 'not-found', 'conflict'],
  exampleErrors: [notFound('partner'), noConsole()],
  async handle(
    call,
    {
      sessions,
      addresses,
      hasConsole,
      isIssuer,
    }: Pick<Services, 'sessions' | 'addresses' | 'hasConsole' | 'isIssuer'>,
  ) {
    if (!hasConsole || !isIssuer) throw noConsole()
    const partnerUuid = (call.body.partnerUuid ?? call.caller.partnerUuid).toLowerCase()
    const code = await sessions.addCode(partnerUuid, toActor(call))
    return jsonReply(toWireLink(code, partnerUuid, addresses.publicUrl), 201)
  },
})
