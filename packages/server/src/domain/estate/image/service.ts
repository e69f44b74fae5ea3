import type { Actor } from '../../identity/audit.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type Image, detectImageType } from './image.ts'
import type { ImageStore } from './store.ts'

export interface ImageService {
  logo(): Promise<Image | undefined>
  setLogo(image: Image, actor: Actor): Promise<void>
  ofBuilding(siteUuid: string, buildingUuid: string): Promise<Image | undefined>
  setOfBuilding(buildingUuid: string, image: Image, actor: Actor): Promise<void>
}

export function createImageService({ store, clock }: { store: ImageStore; clock: Clock }): ImageService {
  const entry = (actor: Actor, action: string, target: string, { type, bytes }: Image) => ({
    at: clock.now(),
    actor,
    action,
    target,
    detail: { type, bytes: bytes.byteLength },
  })
  return {
    logo: () => store.logo(),
    ofBuilding: (siteUuid, buildingUuid) => store.ofBuilding(siteUuid, buildingUuid),
    async setLogo(image, actor) {
      requireMatchingType(image)
      await store.setLogo(image, entry(actor, 'tenant.logo-set', 'tenant', image))
    },
    async setOfBuilding(buildingUuid, image, actor) {
      requireMatchingType(image)
      const isSet = await store.setOfBuilding(
        buildingUuid,
        image,
        entry(actor, 'building.image-set', buildingUuid, image),
      )
      if (!isSet) throw notFound('building')
    },
  }
}

/** The type is sent to partners with the bytes, so a wrong one would break the image for their users. */
function requireMatchingType({ type, bytes }: Image): void {
  if (detectImageType(bytes) !== type)
    throw new AppError(
      'unsupported-media-type',
      `The body is not of the type ${type} that the Content-Type declares.`,
    )
}
