import { buildingRoute } from '../route.ts'
import { sendImage } from '../send-image.ts'

export const buildingImage = buildingRoute(
  { summary: 'The image of a building', description: 'As the operator stored it; 404 when there is none.' },
  async ({ model, building, reply, services }) =>
    sendImage(
      reply,
      await services.images.ofBuilding(model.site.siteUuid, building.buildingUuid),
      'building image',
    ),
)
