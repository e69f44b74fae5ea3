import type { Account, SiteRecord } from '@portico/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { Page } from '../components/page.tsx'
import { ResourceContent } from '../components/panel.tsx'
import { useCall } from '../resource.ts'
import { ACCOUNT } from './site.ts'

/** A page about the sites of the partner, with a link to a document. */
export function AccountPage(props: {
  title: string
  lead: string
  document: { href: string; name: string }
  /** Shown below the title of the empty state, if no site is granted. */
  emptyText: string
  children: (sites: readonly SiteRecord[]) => ComponentChildren
}): JSX.Element {
  const { title, lead, document, emptyText, children } = props
  const account = useCall<Account>(ACCOUNT, { refreshMs: 0 })
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <a class="button small" href={document.href}>
          {document.name}
        </a>
      }
    >
      <ResourceContent
        resource={account}
        empty={{
          when: ({ sites }) => sites.length === 0,
          title: 'No site is granted to you yet',
          text: emptyText,
        }}
      >
        {({ sites }) => children(sites)}
      </ResourceContent>
    </Page>
  )
}
