import { NoQuery } from '@portico/wire/page'
import type { FastifyInstance } from 'fastify'
import { IMAGE_TYPES } from '../../../image/image.ts'
import { noContent } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../actor.ts'
import { imageOf } from './body.ts'

const schema = {
  operationId: 'setLogo',
  summary: 'Set the logo of the tenant',
  description: 'The bytes of a PNG, JPEG, SVG or WebP image, up to 2 MiB. Version 1 hands it to partners.',
  tags: ['Images'],
  consumes: [...IMAGE_TYPES],
  querystring: NoQuery,
  response: noContent('The logo is stored', 'forbidden', 'payload-too-large', 'unsupported-media-type'),
}

export function setLogo(app: FastifyInstance, { images }: Services): void {
  app.put('/tenant/logo', { schema }, async (request, reply) => {
    await images.setLogo(imageOf(request), actorOf(request))
    return reply.status(204).send()
  })
}
