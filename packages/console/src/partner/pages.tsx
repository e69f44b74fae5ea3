import type { PageRoute } from '../route.ts'
import { Migration } from './migration.tsx'
import { Overview } from './overview.tsx'
import { SpacePage } from './space.tsx'
import { Spaces } from './spaces.tsx'
import { Try } from './try.tsx'

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
]
