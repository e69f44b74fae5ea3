import type { PageRoute } from '../route.ts'
import { DevicePage } from './devices/device.tsx'
import { DevicesPage } from './devices/list.tsx'
import { EventsPage } from './events/page.tsx'
import { Migration } from './migration.tsx'
import { Overview } from './overview.tsx'
import { SpacePage } from './space.tsx'
import { Spaces } from './spaces.tsx'
import { Try } from './try.tsx'
import { WebhookDetailPage } from './webhooks/detail.tsx'
import { WebhooksPage } from './webhooks/list.tsx'

/** The pages of the half for partners. */
export const PARTNER_PAGES: readonly PageRoute[] = [
  { pattern: '/console', render: () => <Overview /> },
  { pattern: '/console/migration', render: () => <Migration /> },
  { pattern: '/console/try', render: () => <Try /> },
  { pattern: '/console/{site}/spaces', render: ({ site = '' }) => <Spaces siteId={site} /> },
  {
    pattern: '/console/{site}/spaces/{space}',
    render: ({ site = '', space = '' }) => <SpacePage siteId={site} spaceId={space} />,
  },
  { pattern: '/console/{site}/devices', render: ({ site = '' }) => <DevicesPage siteId={site} /> },
  {
    pattern: '/console/{site}/devices/{device}',
    render: ({ site = '', device = '' }) => <DevicePage siteId={site} deviceUuid={device} />,
  },
  { pattern: '/console/{site}/events', render: ({ site = '' }) => <EventsPage siteId={site} /> },
  { pattern: '/console/webhooks', render: () => <WebhooksPage /> },
  {
    pattern: '/console/webhooks/{webhook}',
    render: ({ webhook = '' }) => <WebhookDetailPage webhookUuid={webhook} />,
  },
]
