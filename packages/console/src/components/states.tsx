import { ApiError, ConnectionError, RateLimitError, TimeoutError } from '@portico/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { reloadPage } from '../resource.ts'

/** Placeholder for content that is being loaded. */
export function Skeleton({ rows = 3, label = 'Loading' }: { rows?: number; label?: string }): JSX.Element {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

/** Shown instead of empty content, with advice. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="quiet">{children}</div>}
    </div>
  )
}

/** An error in words, with its remedy. */
export function ErrorNote({ error, retry }: { error: Error; retry?: () => void }): JSX.Element {
  const { title, detail, requestId } = explain(error)
  return (
    <div class="note error" role="alert">
      <p>
        <strong>{title}</strong>
      </p>
      <p>{detail}</p>
      {error instanceof ApiError && error.errors.length > 0 && (
        <ul>
          {error.errors.map(({ field, message }) => (
            <li key={`${field}${message}`}>
              <code>{field}</code>: {message}
            </li>
          ))}
        </ul>
      )}
      {requestId && (
        <p class="quiet">
          Request <code>{requestId}</code>
        </p>
      )}
      {retry ? (
        <button type="button" class="button small" onClick={retry}>
          Try again
        </button>
      ) : (
        isOutdated(error) && (
          <>
            <p class="quiet">It may have changed since this page was loaded.</p>
            <button type="button" class="button small" onClick={reloadPage}>
              Show the present state
            </button>
          </>
        )
      )}
    </div>
  )
}

/** Whether a change failed because the page shows a former state. */
const isOutdated = (error: Error): boolean => error instanceof ApiError && [404, 409].includes(error.status)

const API_TITLES: Readonly<Record<number, string>> = {
  403: 'Not permitted',
  404: 'Not found',
  409: 'Not possible in the present state',
}

function explain(error: Error): { title: string; detail: string; requestId?: string | undefined } {
  if (error instanceof RateLimitError)
    return { title: 'Too many requests', detail: 'The console continues when requests are available again.' }
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return { title: 'The server cannot be reached', detail: 'The console tries again every minute.' }
  if (error instanceof ApiError) {
    // The invalid fields are listed below the sentence.
    const detail = error.problem?.detail.replace('; see `errors`', '') ?? error.message
    return { title: API_TITLES[error.status] ?? 'The request failed', detail, requestId: error.requestId }
  }
  return { title: 'Something went wrong', detail: error.message }
}
