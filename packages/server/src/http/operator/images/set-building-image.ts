import { NoQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { nothing } from '../../pipeline/produces.ts'
import { NO_CONTENT } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toActor } from '../actor.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { installImageParsers, readImage } from './body.ts'

export const setBuildingImage = defineRoute({
  method: 'PUT',
  path: '/buildings/{buildingUuid}/image',
  operationId: 'setBuildingImage',
  summary: 'Set the image of a building',
  description:
    'The bytes of a PNG, JPEG, SVG or WebP image, up to 2 MiB. Partners read it through version 1.',
  tags: ['Images'],
  gates: OPERATOR_GATES,
  params: Type.Object({ buildingUuid: Uuid }),
  query: NoQuery,
  installParsers: installImageParsers,
  produces: nothing('The image is stored'),
  errors: ['forbidden', 'not-found', 'payload-too-large', 'unsupported-media-type'],
  async handle(call, { images }: Pick<Services, 'images'>) {
    const buildingUuid = call.params.buildingUuid.toLowerCase()
    await images.setOfBuilding(buildingUuid, readImage(call), toActor(call))
    return NO_CONTENT
  },
})
