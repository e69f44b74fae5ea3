import { NoQuery } from '@portico/wire/page'
import { nothing } from '../../pipeline/produces.ts'
import { NO_CONTENT } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toActor } from '../actor.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { installImageParsers, readImage } from './body.ts'

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
  installParsers: installImageParsers,
  produces: nothing('The logo is stored'),
  errors: ['forbidden', 'payload-too-large', 'unsupported-media-type'],
  async handle(call, { images }: Pick<Services, 'images'>) {
    await images.setLogo(readImage(call), toActor(call))
    return NO_CONTENT
  },
})
