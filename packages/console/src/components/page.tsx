import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { visits } from '../route.ts'

export interface Crumb {
  href: string
  name: string
}

/** A page with its heading, which receives the focus when the page is opened. */
export function Page(props: {
  title: string
  /** A sentence below the heading. */
  lead?: ComponentChildren
  crumbs?: readonly Crumb[]
  actions?: ComponentChildren
  children?: ComponentChildren
}): JSX.Element {
  const { title, lead, crumbs, actions, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Portico`
  }, [title])
  useEffect(() => {
    // The first page keeps the focus at the top of the document.
    if (visits.value > 0) heading.current?.focus()
  }, [])
  return (
    <>
      <header class="page-header">
        {crumbs && (
          <nav aria-label="Breadcrumb" class="crumbs">
            {crumbs.map(({ href, name }) => (
              <a key={href} href={href}>
                {name}
              </a>
            ))}
          </nav>
        )}
        <div class="page-title">
          <div>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {lead && <p class="lead">{lead}</p>}
          </div>
          {actions && <div class="actions">{actions}</div>}
        </div>
      </header>
      {children}
    </>
  )
}
