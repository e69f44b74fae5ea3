import { buildingImageRoute } from '../route.ts'

export const buildingImage = buildingImageRoute(
  { summary: 'The image of a building', description: 'As the operator stored it; 404 when there is none.' },
  'building image',
  ({ model, building, services }) => services.images.ofBuilding(model.site.siteUuid, building.buildingUuid),
)
