import { parse as parseQuery } from 'node:querystring'
import { BoundedCache } from '../../kernel/cache.ts'
import { requireValid, type Validator } from './validate.ts'

/** Path parameters by name. */
export type PathParams = Readonly<Record<string, string>>

/** The endpoint and parameters that a path resolves to. */
export interface PathMatch<Endpoint> {
  readonly endpoint: Endpoint
  readonly params: PathParams
}

/** A request target, split at its query. A fragment is ignored. */
export interface RequestTarget<Endpoint = unknown> {
  readonly path: ParsedText<PathMatch<Endpoint>>
  /** The query's parameters; a repeated one is an array. */
  readonly query: ParsedText<object>
}

/** Together about 5 MB. */
const MAX_PATHS = 5_000
const MAX_QUERIES = 2_000
const MAX_CACHED_LENGTH = 300

/** Text that is parsed when it is used. Shared by the requests that contain it, so its value must not be changed. */
export class ParsedText<T extends object> {
  readonly text: string
  readonly #parse: (text: string) => T
  readonly #cache: BoundedCache<string, ParsedText<T>> | undefined
  readonly #validFor = new Set<Validator>()
  #value: T | undefined = undefined

  constructor(
    text: string,
    parse: (text: string) => T,
    cache: BoundedCache<string, ParsedText<T>> | undefined,
  ) {
    this.text = text
    this.#parse = parse
    this.#cache = cache
  }

  get value(): T {
    this.#value ??= this.#parse(this.text)
    return this.#value
  }

  /**
   * Throws unless the value that `select` returns is valid. Only valid text is cached: clients repeat their requests,
   * and invalid ones must not fill the cache.
   */
  requireValid(validator: Validator, part: string, select: (value: T) => unknown): void {
    if (this.#validFor.has(validator)) return
    requireValid(validator, select(this.value), part)
    this.#validFor.add(validator)
    this.#cache?.set(this.text, this)
  }
}

type ParseText<T extends object> = (text: string, isCached: boolean) => ParsedText<T>

function createTextParser<T extends object>(max: number, parse: (text: string) => T): ParseText<T> {
  const cache = new BoundedCache<string, ParsedText<T>>(max)
  return (text, isCached) =>
    (isCached ? cache.get(text) : undefined) ?? new ParsedText(text, parse, isCached ? cache : undefined)
}

export function createTargetParser<Endpoint>(
  match: (path: string) => PathMatch<Endpoint>,
): (url: string) => RequestTarget<Endpoint> {
  const toPath = createTextParser(MAX_PATHS, match)
  const toQuery = createTextParser(MAX_QUERIES, (text) =>
    Object.freeze(parseQuery(text, '&', '=', { maxKeys: 0 })),
  )
  return (url) => {
    // V8 keeps the whole URL in memory as long as a part of it.
    const isCached = url.length <= MAX_CACHED_LENGTH
    const start = url.indexOf('?')
    const path = stripFragment(start === -1 ? url : url.slice(0, start))
    return {
      path: toPath(path, isCached),
      query: toQuery(start === -1 ? '' : url.slice(start + 1), isCached),
    }
  }
}

function stripFragment(path: string): string {
  const fragment = path.indexOf('#')
  return fragment === -1 ? path : path.slice(0, fragment)
}
