import type { PageRoute, Params } from '../route.ts'
import { AuditPage } from './audit.tsx'
import { CommandsPage } from './commands.tsx'
import { AddSitePage } from './inventory.tsx'
import { KeysPage } from './keys.tsx'
import { OverviewPage } from './overview.tsx'
import { PartnerPage } from './partner.tsx'
import { AddPartnerPage, PartnersPage } from './partners.tsx'
import { RejectedPage } from './rejected.tsx'
import { SessionsPage } from './sessions.tsx'
import { SitePage } from './site.tsx'
import { SitesPage } from './sites.tsx'
import { V1Page } from './v1.tsx'
import { WebhooksPage } from './webhooks.tsx'

const toText = (params: Params, name: string): string => params[name] ?? ''

/** The pages of the half for operators. */
export const OPERATOR_PAGES: readonly PageRoute[] = [
  { pattern: '/console/operator', render: () => <OverviewPage /> },
  { pattern: '/console/operator/partners', render: () => <PartnersPage /> },
  { pattern: '/console/operator/partners/new', render: () => <AddPartnerPage /> },
  {
    pattern: '/console/operator/partners/{partner}',
    render: (params) => <PartnerPage partnerUuid={toText(params, 'partner')} />,
  },
  { pattern: '/console/operator/sites', render: () => <SitesPage /> },
  { pattern: '/console/operator/sites/new', render: () => <AddSitePage /> },
  {
    pattern: '/console/operator/sites/{site}',
    render: (params) => <SitePage siteUuid={toText(params, 'site')} />,
  },
  { pattern: '/console/operator/webhooks', render: () => <WebhooksPage /> },
  { pattern: '/console/operator/v1', render: () => <V1Page /> },
  { pattern: '/console/operator/commands', render: () => <CommandsPage /> },
  { pattern: '/console/operator/rejected', render: () => <RejectedPage /> },
  { pattern: '/console/operator/audit', render: () => <AuditPage /> },
  { pattern: '/console/operator/sessions', render: () => <SessionsPage /> },
  { pattern: '/console/operator/keys', render: () => <KeysPage /> },
]
