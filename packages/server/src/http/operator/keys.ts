import { NoQuery, Page } from '@portico/wire/page'
import { Key, RotatedKey, RotateKeys } from '@portico/wire/operator/key'
import { jsonAlways } from '../pipeline/produces.ts'
import { jsonReply } from '../pipeline/reply.ts'
import { defineRoute } from '../pipeline/route.ts'
import { toActor, OPERATOR_GATES } from './surface.ts'
import type { Services } from '../services.ts'
import { toWireKey } from './convert.ts'

export const listKeys = defineRoute({
  method: 'GET',
  path: '/keys',
  operationId: 'listKeys',
  summary: 'List the signing keys',
  description: 'The key that signs new tokens and those that still verify older ones, newest first.',
  tags: ['Keys'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  produces: jsonAlways(200, 'The keys', Page(Key)),
  errors: ['forbidden'],
  async handle(_call, { keys }: Pick<Services, 'keys'>) {
    const data = (await keys.list()).map(toWireKey)
    return jsonReply({ data, pagination: { nextCursor: null, hasMore: false } })
  },
})

export const rotateKeys = defineRoute({
  method: 'POST',
  path: '/keys/rotate',
  operationId: 'rotateKeys',
  summary: 'Rotate the signing key',
  description:
    'New tokens are signed with the new key immediately; the old key stays valid for verification until its last token has expired.',
  tags: ['Keys'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  body: RotateKeys,
  isBodyOptional: true,
  produces: jsonAlways(200, 'The new key’s id', RotatedKey),
  errors: ['forbidden'],
  async handle(call, { keys }: Pick<Services, 'keys'>) {
    const { revokePrevious = false } = call.body
    return jsonReply(await keys.rotate({ revokePrevious }, toActor(call)))
  },
})
