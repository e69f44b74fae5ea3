import { tenantImageRoute } from '../route.ts'

export const tenantLogo = tenantImageRoute(
  {
    summary: 'The logo of the tenant',
    description: 'The image that the operator stored; 404 if there is none.',
  },
  'logo',
  ({ services }) => services.images.logo(),
)
