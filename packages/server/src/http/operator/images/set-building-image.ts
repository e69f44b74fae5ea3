import { NoQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { IMAGE_TYPES } from '../../../image/image.ts'
import { noContent } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../actor.ts'
import { imageOf } from './body.ts'

const schema = {
  operationId: 'setBuildingImage',
  summary: 'Set the image of a building',
  description: 'The bytes of a PNG, JPEG, SVG or WebP image, up to 2 MiB. Version 1 hands it to partners.',
  tags: ['Images'],
  consumes: [...IMAGE_TYPES],
  params: Type.Object({ buildingUuid: Uuid }),
  querystring: NoQuery,
  response: noContent(
    'The image is stored',
    'forbidden',
    'not-found',
    'payload-too-large',
    'unsupported-media-type',
  ),
}

export function setBuildingImage(app: FastifyInstance, { images }: Services): void {
  app.put<{ Params: { buildingUuid: string } }>(
    '/buildings/:buildingUuid/image',
    { schema },
    async (request, reply) => {
      const buildingUuid = request.params.buildingUuid.toLowerCase()
      await images.setOfBuilding(buildingUuid, imageOf(request), actorOf(request))
      return reply.status(204).send()
    },
  )
}
