/** A link of the navigation. */
export interface NavItem {
  href: string
  name: string
  /** Shown only to partners with this role. */
  role?: string
}

export interface NavGroup {
  name: string
  items: readonly NavItem[]
}

/** Pages about the partner's own account. */
export const ACCOUNT_PAGES: readonly NavItem[] = [
  { href: '/console', name: 'Overview' },
  { href: '/console/webhooks', name: 'Webhooks', role: 'Webhooks.Manage' },
  { href: '/console/migration', name: 'Migration' },
  { href: '/console/try', name: 'Try the API' },
]

/** Pages about one site. */
export const toSitePages = (siteUuid: string): readonly NavItem[] => [
  { href: `/console/${siteUuid}/spaces`, name: 'Spaces', role: 'Spaces.Read' },
  { href: `/console/${siteUuid}/devices`, name: 'Devices', role: 'Devices.Read' },
  { href: `/console/${siteUuid}/events`, name: 'Events', role: 'Events.Read' },
]

export const OPERATOR_GROUPS: readonly NavGroup[] = [
  { name: 'Installation', items: [{ href: '/console/operator', name: 'Overview' }] },
  {
    name: 'Manage',
    items: [
      { href: '/console/operator/partners', name: 'Partners' },
      { href: '/console/operator/sites', name: 'Sites' },
      { href: '/console/operator/webhooks', name: 'Webhooks' },
      { href: '/console/operator/v1', name: 'Version 1' },
    ],
  },
  {
    name: 'Inspect',
    items: [
      { href: '/console/operator/commands', name: 'Commands' },
      { href: '/console/operator/rejected', name: 'Rejected messages' },
      { href: '/console/operator/audit', name: 'Audit log' },
      { href: '/console/operator/sessions', name: 'Sessions' },
      { href: '/console/operator/keys', name: 'Signing keys' },
    ],
  },
]
