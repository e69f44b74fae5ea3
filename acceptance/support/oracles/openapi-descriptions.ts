import { asArray, asObject, asString, type JsonObject } from '../json.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']
/** Keywords that show a reader what a value looks like. */
const SHOWN_BY = ['example', 'examples', 'enum', 'default', 'const']

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objects = (value: unknown): [string, JsonObject][] =>
  isObject(value) ? Object.entries(value).map(([name, inner]) => [name, asObject(inner)]) : []

const list = (value: unknown): JsonObject[] => (value === undefined ? [] : asArray(value).map(asObject))

/** Places in an OpenAPI document that lack a description, and parameters that lack an example. */
export function findUndescribed(document: JsonObject): { checked: number; undescribed: string[] } {
  const undescribed: string[] = []
  let checked = 0

  const resolve = (value: JsonObject): JsonObject => {
    const { $ref: reference, ...own } = value
    if (reference === undefined) return value
    const names = asString(reference).slice(2).split('/')
    const target = names.reduce<JsonObject>((parent, name) => asObject(parent[name]), document)
    return { ...resolve(target), ...own }
  }

  const requireDescription = (value: JsonObject, place: string): void => {
    checked += 1
    const { description } = resolve(value)
    if (typeof description !== 'string' || description.trim() === '') undescribed.push(place)
  }

  /** Named schemas are visited once, as components. */
  const visitSchema = (schema: JsonObject, place: string): void => {
    if ('$ref' in schema) return
    for (const [name, property] of objects(schema['properties'])) {
      requireDescription(property, `${place}.${name}`)
      visitSchema(property, `${place}.${name}`)
    }
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
      for (const part of list(schema[keyword])) visitSchema(part, place)
    for (const keyword of ['items', 'additionalProperties'])
      if (isObject(schema[keyword])) visitSchema(schema[keyword], `${place}[]`)
    for (const [, part] of objects(schema['patternProperties'])) visitSchema(part, `${place}[]`)
  }

  const visitContent = (value: unknown, place: string): void => {
    for (const [type, { schema }] of objects(value)) visitSchema(asObject(schema), `${place} ${type}`)
  }

  const isShown = (value: JsonObject): boolean => {
    const schema = resolve(value)
    if (SHOWN_BY.some((keyword) => keyword in schema)) return true
    if (isObject(schema['items']) && isShown(schema['items'])) return true
    return [...list(schema['anyOf']), ...list(schema['oneOf'])].some(isShown)
  }

  const visitParameter = (value: JsonObject, operation: string): void => {
    const parameter = resolve(value)
    const place = `${operation} ${asString(parameter['in'])} ${asString(parameter['name'])}`
    const schema = asObject(parameter['schema'])
    requireDescription(parameter, place)
    visitSchema(schema, place)
    if (!isShown({ ...schema, ...parameter })) undescribed.push(`${place}: example`)
  }

  const tags = new Set(list(document['tags']).map(({ name }) => name))

  const visitOperation = (operation: JsonObject, place: string): void => {
    requireDescription(operation, place)
    for (const tag of asArray(operation['tags'] ?? []))
      if (!tags.has(tag)) undescribed.push(`${place}: tag ${asString(tag)}`)
    for (const parameter of list(operation['parameters'])) visitParameter(parameter, place)
    if (isObject(operation['requestBody'])) {
      const body = resolve(operation['requestBody'])
      requireDescription(body, `${place} body`)
      visitContent(body['content'], `${place} body`)
    }
    for (const [status, response] of objects(operation['responses'])) {
      requireDescription(response, `${place} ${status}`)
      visitContent(resolve(response)['content'], `${place} ${status}`)
      for (const [name, header] of objects(resolve(response)['headers']))
        requireDescription(header, `${place} ${status} ${name}`)
    }
  }

  requireDescription(asObject(document['info']), 'info')
  for (const tag of list(document['tags'])) requireDescription(tag, `tag ${asString(tag['name'])}`)
  for (const kind of ['paths', 'webhooks'])
    for (const [path, item] of objects(document[kind]))
      for (const method of METHODS)
        if (isObject(item[method])) visitOperation(item[method], `${method} ${path}`)
  const components = asObject(document['components'])
  for (const [name, schema] of objects(components['schemas'])) {
    requireDescription(schema, `schema ${name}`)
    visitSchema(schema, name)
  }
  for (const kind of ['headers', 'responses', 'securitySchemes'])
    for (const [name, component] of objects(components[kind]))
      requireDescription(component, `${kind} ${name}`)
  return { checked, undescribed }
}
