import { tenantImageRoute } from '../route.ts'

export const tenantLogo = tenantImageRoute(
  { summary: 'The logo of the tenant', description: 'As the operator stored it; 404 when there is none.' },
  'logo',
  ({ services }) => services.images.logo(),
)
