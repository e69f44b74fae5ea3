import type { Image } from '../../domain/estate/image/image.ts'
import type { BuildingRecord } from '../../domain/estate/inventory/inventory.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Reply } from '../pipeline/reply.ts'
import { common, type Description, type V1Call, type V1Route, wrongSubjectError } from './route.ts'

/**
 * Responds with the stored bytes. The policy prevents an SVG that is opened directly from running scripts or loading
 * anything.
 */
function imageReply(image: Image | undefined, name: string): Reply {
  if (!image) throw notFound(name)
  return {
    status: 200,
    type: image.type,
    headers: ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
    body: Buffer.from(image.bytes),
  }
}

/** The route of a building's image; `what` names it in a 404. */
const buildingImageRoute = (
  description: Omit<Description, 'response'>,
  what: string,
  find: (call: V1Call & { building: BuildingRecord }) => Promise<Image | undefined>,
): V1Route => ({
  ...common(description),
  subject: 'building',
  estimateCost: () => 1,
  handle: async (call, found) =>
    found.kind === 'building'
      ? imageReply(await find({ ...call, building: found.building }), what)
      : wrongSubjectError(),
})

/** The route of the tenant's image; `what` names it in a 404. */
const tenantImageRoute = (
  description: Omit<Description, 'response'>,
  what: string,
  find: (call: V1Call) => Promise<Image | undefined>,
): V1Route => ({
  ...common(description),
  subject: 'tenant',
  estimateCost: () => 1,
  handle: async (call) => imageReply(await find(call), what),
})

export const tenantLogo = tenantImageRoute(
  {
    summary: 'The logo of the tenant',
    description: 'The image that the operator stored; 404 if there is none.',
  },
  'logo',
  ({ services }) => services.images.logo(),
)

export const buildingImage = buildingImageRoute(
  {
    summary: 'The image of a building',
    description: 'The image that the operator stored; 404 if there is none.',
  },
  'building image',
  ({ model, building, services }) => services.images.ofBuilding(model.site.siteUuid, building.buildingUuid),
)
