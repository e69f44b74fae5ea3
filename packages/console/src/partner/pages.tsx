import type { PageRoute } from '../route.ts'
import { Overview } from './overview.tsx'

/** All pages but the first are one chunk, which is loaded when one of them is opened. */
const loadPages = () => import('./more-pages.ts')

/** The pages for partners. */
export const PARTNER_PAGES: readonly PageRoute[] = [
  {
    pattern: '/console',
    render: () => <Overview />,
  },
  {
    pattern: '/console/migration',
    load: async () => {
      const { Migration } = await loadPages()
      return () => <Migration />
    },
  },
  {
    pattern: '/console/try',
    load: async () => {
      const { Try } = await loadPages()
      return () => <Try />
    },
  },
  {
    pattern: '/console/{site}/spaces',
    load: async () => {
      const { Spaces } = await loadPages()
      return ({ site = '' }) => <Spaces siteId={site} />
    },
  },
  {
    pattern: '/console/{site}/spaces/{space}',
    load: async () => {
      const { SpacePage } = await loadPages()
      return ({ site = '', space = '' }) => <SpacePage siteId={site} spaceId={space} />
    },
  },
  {
    pattern: '/console/{site}/devices',
    load: async () => {
      const { DevicesPage } = await loadPages()
      return ({ site = '' }) => <DevicesPage siteId={site} />
    },
  },
  {
    pattern: '/console/{site}/devices/{device}',
    load: async () => {
      const { DevicePage } = await loadPages()
      return ({ site = '', device = '' }) => <DevicePage siteId={site} deviceUuid={device} />
    },
  },
  {
    pattern: '/console/{site}/events',
    load: async () => {
      const { EventsPage } = await loadPages()
      return ({ site = '' }) => <EventsPage siteId={site} />
    },
  },
  {
    pattern: '/console/webhooks',
    load: async () => {
      const { WebhooksPage } = await loadPages()
      return () => <WebhooksPage />
    },
  },
  {
    pattern: '/console/webhooks/{webhook}',
    load: async () => {
      const { WebhookDetailPage } = await loadPages()
      return ({ webhook = '' }) => <WebhookDetailPage webhookUuid={webhook} />
    },
  },
]
