import type { PageRoute, Params } from '../route.ts'

const toText = (params: Params, name: string): string => params[name] ?? ''

/** The pages for operators are one chunk, which is loaded when one of them is opened. */
const loadPages = () => import('./all-pages.ts')

/** The pages for operators. */
export const OPERATOR_PAGES: readonly PageRoute[] = [
  {
    pattern: '/console/operator',
    load: async () => {
      const { OverviewPage } = await loadPages()
      return () => <OverviewPage />
    },
  },
  {
    pattern: '/console/operator/partners',
    load: async () => {
      const { PartnersPage } = await loadPages()
      return () => <PartnersPage />
    },
  },
  {
    pattern: '/console/operator/partners/new',
    load: async () => {
      const { AddPartnerPage } = await loadPages()
      return () => <AddPartnerPage />
    },
  },
  {
    pattern: '/console/operator/partners/{partner}',
    load: async () => {
      const { PartnerPage } = await loadPages()
      return (params) => <PartnerPage partnerUuid={toText(params, 'partner')} />
    },
  },
  {
    pattern: '/console/operator/sites',
    load: async () => {
      const { SitesPage } = await loadPages()
      return () => <SitesPage />
    },
  },
  {
    pattern: '/console/operator/sites/new',
    load: async () => {
      const { AddSitePage } = await loadPages()
      return () => <AddSitePage />
    },
  },
  {
    pattern: '/console/operator/sites/{site}',
    load: async () => {
      const { SitePage } = await loadPages()
      return (params) => <SitePage siteUuid={toText(params, 'site')} />
    },
  },
  {
    pattern: '/console/operator/webhooks',
    load: async () => {
      const { WebhooksPage } = await loadPages()
      return () => <WebhooksPage />
    },
  },
  {
    pattern: '/console/operator/v1',
    load: async () => {
      const { V1Page } = await loadPages()
      return () => <V1Page />
    },
  },
  {
    pattern: '/console/operator/commands',
    load: async () => {
      const { CommandsPage } = await loadPages()
      return () => <CommandsPage />
    },
  },
  {
    pattern: '/console/operator/rejected',
    load: async () => {
      const { RejectedPage } = await loadPages()
      return () => <RejectedPage />
    },
  },
  {
    pattern: '/console/operator/audit',
    load: async () => {
      const { AuditPage } = await loadPages()
      return () => <AuditPage />
    },
  },
  {
    pattern: '/console/operator/sessions',
    load: async () => {
      const { SessionsPage } = await loadPages()
      return () => <SessionsPage />
    },
  },
  {
    pattern: '/console/operator/keys',
    load: async () => {
      const { KeysPage } = await loadPages()
      return () => <KeysPage />
    },
  },
]
