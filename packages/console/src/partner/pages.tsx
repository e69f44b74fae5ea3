import type { PageRoute, Params } from '../route.ts'
import { DevicePage } from './devices/device.tsx'
import { DevicesPage } from './devices/list.tsx'
import { EventsPage } from './events/page.tsx'
import { WebhookDetailPage } from './webhooks/detail.tsx'
import { WebhooksPage } from './webhooks/list.tsx'

const get = (params: Params, name: string): string => params[name] ?? ''

/** The pages of the half for partners. */
export const PARTNER_PAGES: readonly PageRoute[] = [
  { pattern: '/console/webhooks', render: () => <WebhooksPage /> },
  {
    pattern: '/console/webhooks/{webhook}',
    render: (params) => <WebhookDetailPage webhookUuid={get(params, 'webhook')} />,
  },
  { pattern: '/console/{site}/devices', render: (params) => <DevicesPage siteId={get(params, 'site')} /> },
  {
    pattern: '/console/{site}/devices/{device}',
    render: (params) => <DevicePage siteId={get(params, 'site')} deviceUuid={get(params, 'device')} />,
  },
  { pattern: '/console/{site}/events', render: (params) => <EventsPage siteId={get(params, 'site')} /> },
]
