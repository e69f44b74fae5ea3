import { buildingImageRoute } from '../route.ts'

export const buildingImage = buildingImageRoute(
  {
    summary: 'The image of a building',
    description: 'The image that the operator stored; 404 if there is none.',
  },
  'building image',
  ({ model, building, services }) => services.images.ofBuilding(model.site.siteUuid, building.buildingUuid),
)
