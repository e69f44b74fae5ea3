/** A request as the SDK sends it, without credentials. */
export interface RequestInfo {
  method: string
  url: string
  headers: Record<string, string>
  /** 0 for the first attempt. */
  retries: number
}

export interface ResponseInfo {
  method: string
  url: string
  status: number
  requestId: string | undefined
  durationMs: number
}

export interface RetryInfo {
  method: string
  url: string
  /** Number of the retry that follows, from 1. */
  retry: number
  waitMs: number
  /** Why the previous attempt failed. */
  error: Error
}

export interface PauseInfo {
  siteId: string | undefined
  /** Minimum wait of the first waiting call. */
  waitMs: number
}

export interface DeprecationInfo {
  method: string
  path: string
  deprecatedAt: Date | undefined
  sunsetAt: Date | undefined
  /** The address that replaces the endpoint. */
  successor: string | undefined
}

/**
 * Functions that are called when something happens in the SDK. The SDK does not wait for them. Their errors are
 * ignored, and the first error of each is reported.
 */
export interface Hooks {
  onRequest?: (info: RequestInfo) => void
  onResponse?: (info: ResponseInfo) => void
  onRetry?: (info: RetryInfo) => void
  /** The rate limit is used up, and calls begin to wait. */
  onPaused?: (info: PauseInfo) => void
  /** Once for each endpoint that announces its end. */
  onDeprecation?: (info: DeprecationInfo) => void
  /**
   * A message for the operators of your program, for example about a secret that expires soon. Default: `console.warn`.
   */
  onWarning?: (message: string) => void
}

// oxlint-disable-next-line no-console -- the only output of the SDK, unless onWarning is set
const print = (message: string): void => console.warn(`[portico] ${message}`)

export class HookRunner {
  readonly #hooks: Hooks
  readonly #broken = new Set<string>()
  readonly #deprecated = new Set<string>()

  constructor(hooks: Hooks) {
    this.#hooks = hooks
  }

  has(name: keyof Hooks): boolean {
    return this.#hooks[name] !== undefined
  }

  run<N extends keyof Hooks>(name: N, info: Parameters<NonNullable<Hooks[N]>>[0]): void {
    const hook = this.#hooks[name] as ((value: typeof info) => unknown) | undefined
    if (!hook) return
    const report = (error: unknown): void => {
      if (this.#broken.has(name)) return
      this.#broken.add(name)
      print(`The hook ${name} threw: ${String(error)}`)
    }
    try {
      const result = hook(info)
      // The hook may be an async function: an unhandled rejection would end the program.
      if (result instanceof Promise) result.catch(report)
    } catch (error) {
      report(error)
    }
  }

  warn(message: string): void {
    if (this.#hooks.onWarning) this.run('onWarning', message)
    else print(message)
  }

  /** Reports an endpoint whose response has a Deprecation or Sunset header. */
  reportDeprecation(method: string, endpoint: string, headers: Headers, successor: string | undefined): void {
    const key = `${method} ${endpoint}`
    if (this.#deprecated.has(key)) return
    this.#deprecated.add(key)
    this.run('onDeprecation', {
      method,
      path: endpoint,
      deprecatedAt: parseDate(headers.get('deprecation')),
      sunsetAt: parseDate(headers.get('sunset')),
      successor,
    })
  }
}

/** An HTTP date, or seconds since 1970 after an @ (RFC 9745). */
function parseDate(value: string | null): Date | undefined {
  if (value === null) return undefined
  const date = new Date(value.startsWith('@') ? Number(value.slice(1)) * 1000 : value)
  return Number.isNaN(date.getTime()) ? undefined : date
}
