import type { Site } from '../site/site.ts'

export const DEMO_SITE: Site = {
  siteUuid: '5f0c1d0e-6a57-4c1b-9b0e-2f6f3f1c7a10',
  siteName: 'Aldgate Court',
  timeZone: 'Europe/London',
  sandbox: true,
}
