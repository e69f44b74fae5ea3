import type { IncomingHttpHeaders } from 'node:http'
import { NoQuery } from '@portico/wire/page'
import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { bytesBody } from '../pipeline/body/read-body.ts'
import { nothing } from '../pipeline/produces.ts'
import { NO_CONTENT } from '../pipeline/reply.ts'
import { defineRoute } from '../pipeline/route.ts'
import { toActor, OPERATOR_GATES } from './surface.ts'
import type { Services } from '../services.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Image, IMAGE_TYPES } from '../../domain/estate/image/image.ts'
import { MAX_IMAGE_BYTES } from '../pipeline/limits.ts'
import { readMediaType } from '../pipeline/negotiate.ts'

const IMAGE_BODY = bytesBody(MAX_IMAGE_BYTES, IMAGE_TYPES)

const IMAGE_CONTENT = {
  description: 'The bytes of the image.',
  content: Object.fromEntries(
    IMAGE_TYPES.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
  ),
}

const emptyBody = (): AppError => new AppError('bad-request', 'The request body is empty.')

const notAnImage = (): AppError =>
  new AppError('unsupported-media-type', `Accepted media types: ${IMAGE_TYPES.join(', ')}.`)

export const setLogo = defineRoute({
  method: 'PUT',
  path: '/tenant/logo',
  operationId: 'setLogo',
  summary: 'Set the logo of the tenant',
  description:
    'The bytes of a PNG, JPEG, SVG or WebP image, up to 2 MiB. Partners read it through version 1.',
  tags: ['Images'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  reads: IMAGE_BODY,
  describedContent: IMAGE_CONTENT,
  exampleErrors: [emptyBody(), notAnImage()],
  produces: nothing('The logo is stored'),
  errors: ['forbidden', 'payload-too-large', 'unsupported-media-type'],
  async handle(call, { images }: Pick<Services, 'images'>) {
    await images.setLogo(readImage(call), toActor(call))
    return NO_CONTENT
  },
})

export const setBuildingImage = defineRoute({
  method: 'PUT',
  path: '/buildings/{buildingUuid}/image',
  operationId: 'setBuildingImage',
  summary: 'Set the image of a building',
  description:
    'The bytes of a PNG, JPEG, SVG or WebP image, up to 2 MiB. Partners read it through version 1.',
  tags: ['Images'],
  gates: OPERATOR_GATES,
  params: Type.Object({
    buildingUuid: about(
      Uuid,
      'The buildingUuid of a building, from GET /inventory/{siteUuid}.',
      EXAMPLE.buildingUuid,
    ),
  }),
  query: NoQuery,
  reads: IMAGE_BODY,
  describedContent: IMAGE_CONTENT,
  exampleErrors: [emptyBody(), notAnImage()],
  produces: nothing('The image is stored'),
  errors: ['forbidden', 'not-found', 'payload-too-large', 'unsupported-media-type'],
  async handle(call, { images }: Pick<Services, 'images'>) {
    const buildingUuid = call.params.buildingUuid.toLowerCase()
    await images.setOfBuilding(buildingUuid, readImage(call), toActor(call))
    return NO_CONTENT
  },
})

function readImage({ headers, body }: { headers: IncomingHttpHeaders; body: unknown }): Image {
  const named = readMediaType(headers)
  const type = IMAGE_TYPES.find((supported) => supported === named)
  if (!type) throw notAnImage()
  if (!Buffer.isBuffer(body) || body.length === 0) throw emptyBody()
  // Copied: a small body is a view of a larger buffer, all of which would be sent to the writer.
  return { type, bytes: Uint8Array.from(body) }
}
