/** Any JSON value of a document. */
type Json = string | number | boolean | null | undefined | Json[] | { [name: string]: Json }

const isTextEnum = (schema: { [name: string]: Json }): boolean =>
  Array.isArray(schema['enum']) &&
  !('type' in schema) &&
  schema['enum'].every((value) => typeof value === 'string')

/** Any name of a property. */
const ANY_NAME = '^.*$'

/** Says the same with keywords that client generators of OpenAPI 3.0 know. */
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
 * Moves every schema with a title into components, once, and leaves a reference: readers and client generators meet
 * `Space` instead of the same forty lines again.
 */
export function extractComponents<T extends object>(document: T): T {
  const schemas: Record<string, Json> = {}

  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const visited = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner)]))
    simplify(visited)
    // TypeBox leaves the type of an enum out; consoles and generators do better with it.
    if (isTextEnum(visited)) visited['type'] = 'string'
    const { title } = visited
    // `info` has a title too; a schema also says what it is.
    if (typeof title !== 'string' || !('type' in visited || 'anyOf' in visited || 'enum' in visited))
      return visited
    schemas[title] = visited
    return { $ref: `#/components/schemas/${title}` }
  }

  const visited = visit(JSON.parse(JSON.stringify(document)) as Json) as { components?: { schemas?: object } }
  return { ...visited, components: { ...visited.components, schemas } } as T
}
