/** Any JSON value of a document. */
type Json = string | number | boolean | null | undefined | Json[] | { [name: string]: Json }

const isTextEnum = (schema: { [name: string]: Json }): boolean =>
  Array.isArray(schema['enum']) &&
  !('type' in schema) &&
  schema['enum'].every((value) => typeof value === 'string')

/** Matches any property name. */
const ANY_NAME = '^.*$'

/** Rewrites a schema with keywords that OpenAPI 3.0 client generators know. */
function simplify(schema: { [name: string]: Json }): void {
  const { const: only, patternProperties: patterns } = schema
  if (only !== undefined && typeof only !== 'object') {
    schema['enum'] = [only]
    delete schema['const']
  }
  if (typeof patterns === 'object' && patterns !== null && !Array.isArray(patterns) && ANY_NAME in patterns) {
    schema['additionalProperties'] = patterns[ANY_NAME]
    delete schema['patternProperties']
  }
}

/**
 * Moves every schema with a title into `components` and replaces it by a reference, so that documents and generated
 * clients have one `Space` instead of many copies.
 */
export function extractComponents<T extends object>(document: T): T {
  const schemas: Record<string, Json> = {}

  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const visited = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner)]))
    simplify(visited)
    // TypeBox omits the type of an enum; some API references and client generators need it.
    if (isTextEnum(visited)) visited['type'] = 'string'
    const { title } = visited
    // `info` has a title too, but only a schema has one of these keywords.
    if (typeof title !== 'string' || !('type' in visited || 'anyOf' in visited || 'enum' in visited))
      return visited
    schemas[title] = visited
    return { $ref: `#/components/schemas/${title}` }
  }

  const visited = visit(JSON.parse(JSON.stringify(document)) as Json) as { components?: { schemas?: object } }
  return { ...visited, components: { ...visited.components, schemas } } as T
}
