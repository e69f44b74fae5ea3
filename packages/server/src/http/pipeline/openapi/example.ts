import { USE } from '@portico/wire/about'

/** The parts of a schema from which an example is made. */
export interface ExampleSchema {
  type?: string
  title?: string
  const?: unknown
  enum?: readonly unknown[]
  examples?: readonly unknown[]
  items?: ExampleSchema
  anyOf?: readonly ExampleSchema[]
  properties?: Record<string, ExampleSchema>
  required?: readonly string[]
  [USE]?: { description?: string; examples?: readonly unknown[] }
}

const ownExamples = (schema: ExampleSchema): readonly unknown[] | undefined =>
  schema[USE]?.examples ?? schema.examples

const BY_TYPE: Record<string, unknown> = {
  object: {},
  array: [],
  integer: 1,
  number: 1,
  boolean: true,
  null: null,
}

/**
 * An example of a schema: its own, or one made from those of its parts. An optional property is included if it has its
 * own example.
 */
export function toExample(schema: ExampleSchema): unknown {
  const own = ownExamples(schema)
  if (own) return own[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return toExample(schema.anyOf[0] ?? {})
  if (schema.items) return [toExample(schema.items)]
  if (schema.properties) return toObject(schema.properties, schema.required ?? [])
  const { type = 'string' } = schema
  return Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : 'text'
}

const toObject = (properties: Record<string, ExampleSchema>, required: readonly string[]): object =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name, property]) => required.includes(name) || ownExamples(property) !== undefined)
      .map(([name, property]) => [name, toExample(property)]),
  )

/**
 * The schema with an example, or with one for each alternative, the schema’s own first. `changes` replaces fields of
 * the example that do not fit the operation.
 */
export function withExamples(schema: ExampleSchema, changes?: object): object {
  const { anyOf, examples = [] } = schema
  if (!anyOf || anyOf.some(({ title }) => title === undefined)) {
    const example = toExample(schema)
    return { schema, example: changes ? { ...(example as object), ...changes } : example }
  }
  const named = new Map<string, { value: unknown }>()
  for (const example of examples) {
    const alternative = anyOf.find(
      ({ properties }) => toExample(properties?.['type'] ?? {}) === (example as { type?: unknown }).type,
    )
    named.set(alternative?.title ?? 'example', { value: example })
  }
  for (const alternative of anyOf)
    if (alternative.title !== undefined && !named.has(alternative.title))
      named.set(alternative.title, { value: toExample(alternative) })
  return { schema, examples: Object.fromEntries(named) }
}
