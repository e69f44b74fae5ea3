import { isDeepStrictEqual } from 'node:util'
import { USE } from '@portico/wire/about'

/** Any JSON value of a document. */
type Json = string | number | boolean | null | undefined | Json[] | { [name: string]: Json }

const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTextEnum = (schema: { [name: string]: Json }): boolean =>
  Array.isArray(schema['enum']) &&
  !('type' in schema) &&
  schema['enum'].every((value) => typeof value === 'string')

/** Matches any property name. */
const ANY_NAME = '^.*$'

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['example', 'examples', 'enum', 'const', 'default'])

/** Rewrites a schema with keywords that OpenAPI 3.0 client generators know. */
function simplify(schema: { [name: string]: Json }): void {
  const { const: only, patternProperties: patterns } = schema
  if (only !== undefined && typeof only !== 'object') {
    schema['enum'] = [only]
    schema['type'] = Number.isInteger(only) ? 'integer' : typeof only
    delete schema['const']
  }
  if (isObject(patterns) && ANY_NAME in patterns) {
    schema['additionalProperties'] = patterns[ANY_NAME]
    delete schema['patternProperties']
  }
}

/**
 * Moves every schema with a title into `components` and replaces it by a reference, so that documents and generated
 * clients have one `Space` instead of many copies. A property's own keywords, such as its description, stay beside the
 * reference.
 */
export function extractComponents<T extends object>(document: T): T {
  const schemas: Record<string, Json> = {}

  const visit = (value: Json, key = ''): Json => {
    if (DATA.has(key)) return value
    if (Array.isArray(value)) return value.map((item) => visit(item))
    if (!isObject(value)) return value
    // The names of properties are not keywords: one of them may be `enum` or `example`.
    const isNames = key === 'properties' || key === 'headers' || key === 'schemas'
    const visited = Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, visit(inner, isNames ? '' : name)]),
    )
    simplify(visited)
    // TypeBox omits the type of an enum; some API references and client generators need it.
    if (isTextEnum(visited)) visited['type'] = 'string'
    const { title, [USE]: use, ...schema } = visited
    // `info` has a title too, but only a schema has one of these keywords.
    if (typeof title !== 'string' || !('type' in visited || 'anyOf' in visited || 'enum' in visited))
      return visited
    const component = { title, ...schema }
    const known = schemas[title]
    if (known !== undefined && !isDeepStrictEqual(known, component))
      throw new Error(`Two schemas have the title ${title}.`)
    schemas[title] = component
    return { $ref: `#/components/schemas/${title}`, ...(isObject(use) ? use : {}) }
  }

  const visited = visit(JSON.parse(JSON.stringify(document)) as Json) as { components?: { schemas?: object } }
  return { ...visited, components: { ...visited.components, schemas } } as T
}

/** A self-contained schema without references: a property's own keywords are merged into the schema of its value. */
export function toPlainSchema(schema: object): object {
  const visit = (value: Json, key = ''): Json => {
    if (DATA.has(key)) return value
    if (Array.isArray(value)) return value.map((item) => visit(item))
    if (!isObject(value)) return value
    const visited = Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, visit(inner, key === 'properties' ? '' : name)]),
    )
    simplify(visited)
    if (isTextEnum(visited)) visited['type'] = 'string'
    const { [USE]: use, ...own } = visited
    return { ...own, ...(isObject(use) ? use : {}) }
  }
  return visit(JSON.parse(JSON.stringify(schema)) as Json) as object
}
