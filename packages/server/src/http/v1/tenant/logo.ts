import { tenantRoute } from '../route.ts'
import { sendImage } from '../send-image.ts'

export const tenantLogo = tenantRoute(
  { summary: 'The logo of the tenant', description: 'As the operator stored it; 404 when there is none.' },
  async ({ reply, services }) => sendImage(reply, await services.images.logo(), 'logo'),
)
