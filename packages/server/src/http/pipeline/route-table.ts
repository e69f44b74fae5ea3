/** A segment of the patterns; `{name}` in a pattern is the parameter of its parent. */
interface Segment<T> {
  children: Map<string, Segment<T>>
  parameter: Segment<T> | undefined
  value: T | undefined
}

const createSegment = <T>(): Segment<T> => ({ children: new Map(), parameter: undefined, value: undefined })

const isParameter = (segment: string): boolean => segment.startsWith('{')

/** Maps path patterns such as `/spaces/{spaceuuid}` to values. A literal segment takes precedence over a parameter. */
export class RouteTable<T> {
  readonly #root = createSegment<T>()
  /** By the whole path: patterns without parameters. */
  readonly #literals = new Map<string, T>()

  /** The value of a pattern, created if it has none. */
  at(pattern: string, create: () => T): T {
    let segment = this.#root
    for (const name of pattern.split('/').slice(1)) {
      let next = isParameter(name) ? segment.parameter : segment.children.get(name)
      if (!next) {
        next = createSegment<T>()
        if (isParameter(name)) segment.parameter = next
        else segment.children.set(name, next)
      }
      segment = next
    }
    segment.value ??= create()
    if (!pattern.includes('{')) this.#literals.set(pattern, segment.value)
    return segment.value
  }

  /**
   * The value of the pattern that a path matches. The decoded values of its parameters are appended to `parameters`.
   * Throws URIError if the path is not properly percent-encoded.
   */
  find(path: string, parameters: string[]): T | undefined {
    const literal = this.#literals.get(path)
    if (literal !== undefined) return literal
    return path.startsWith('/') ? find(this.#root, path, 1, parameters) : undefined
  }
}

/** The names of a pattern's parameters, in order. */
export const listParameters = (pattern: string): string[] =>
  pattern
    .split('/')
    .filter(isParameter)
    .map((segment) => segment.slice(1, -1))

function find<T>(parent: Segment<T>, path: string, from: number, parameters: string[]): T | undefined {
  const slash = path.indexOf('/', from)
  const text = decodeSegment(slash === -1 ? path.slice(from) : path.slice(from, slash))
  // Most parents of a parameter have no other children.
  const literal = parent.children.size === 0 ? undefined : parent.children.get(text)
  if (literal) {
    const found = slash === -1 ? literal.value : find(literal, path, slash + 1, parameters)
    if (found !== undefined) return found
  }
  const { parameter } = parent
  if (!parameter) return undefined
  parameters.push(text)
  const found = slash === -1 ? parameter.value : find(parameter, path, slash + 1, parameters)
  if (found === undefined) parameters.pop()
  return found
}

const decodeSegment = (text: string): string => (text.includes('%') ? decodeURIComponent(text) : text)
