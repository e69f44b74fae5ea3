import type { ComponentChildren, JSX } from 'preact'
import type { ApiCall } from '../api.ts'
import type { Resource } from '../resource.ts'
import { Empty, ErrorNote, Skeleton } from './states.tsx'
import { ShowCall } from './show-call.tsx'
import { Moment } from './moment.tsx'

interface PanelProps {
  /** For links to this part of the page. */
  id?: string
  title: string
  /** A sentence below the title. */
  lead?: ComponentChildren
  actions?: ComponentChildren
  /** The calls whose responses it shows. */
  calls?: readonly (ApiCall | undefined)[]
  class?: string
  children?: ComponentChildren
}

/** A titled part of a page. Every panel that shows an API response can also show the call. */
export function Panel({
  id,
  title,
  lead,
  actions,
  calls = [],
  class: name = '',
  children,
}: PanelProps): JSX.Element {
  const known = calls.filter((call) => call !== undefined)
  return (
    <section class={`panel ${name}`} aria-label={title} id={id} tabIndex={id === undefined ? undefined : -1}>
      <header>
        <h2>{title}</h2>
        <div class="actions">
          {actions}
          {known.length > 0 && <ShowCall calls={known} subject={title} />}
        </div>
      </header>
      {lead && <p class="quiet">{lead}</p>}
      {children}
    </section>
  )
}

interface ResourcePanelProps<T> extends Omit<PanelProps, 'calls' | 'children'> {
  resource: Resource<T>
  /** Further calls to show. */
  calls?: readonly (ApiCall | undefined)[]
  /** Shown instead of the content if there is none. */
  empty?: { when: (data: T) => boolean; title: string; text?: ComponentChildren }
  skeletonRows?: number
  children: (data: T) => ComponentChildren
}

/**
 * A panel for one response: a skeleton while it loads, then the content, even if the server becomes unreachable later.
 */
export function ResourcePanel<T>(props: ResourcePanelProps<T>): JSX.Element {
  const { resource, calls = [], children, ...panel } = props
  return (
    <Panel {...panel} calls={[resource.call, ...calls]}>
      <ResourceContent {...props}>{children}</ResourceContent>
    </Panel>
  )
}

/** The content of a response in each of its states. */
export function ResourceContent<T>(
  props: Pick<ResourcePanelProps<T>, 'resource' | 'empty' | 'skeletonRows' | 'children'>,
): JSX.Element {
  const { resource, empty, skeletonRows = 4, children } = props
  const { data, error, staleSince, reload } = resource
  if (data === undefined)
    return error ? <ErrorNote error={error} retry={reload} /> : <Skeleton rows={skeletonRows} />
  return (
    <>
      {staleSince !== undefined && (
        <p class="note warning" role="status">
          The server cannot be reached. This is the state of <Moment at={staleSince} />.
        </p>
      )}
      {empty?.when(data) ? <Empty title={empty.title}>{empty.text}</Empty> : children(data)}
    </>
  )
}
