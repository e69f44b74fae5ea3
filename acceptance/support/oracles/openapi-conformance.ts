import assert from 'node:assert/strict'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { asObject, type JsonObject, parseJson } from '../json.ts'

/** The surfaces that have an OpenAPI document, by path prefix. */
const SURFACES: Record<string, string> = { '/v2': 'v2', '/v1': 'v1', '/operator': 'operator' }

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

const documents = new Map<string, Promise<JsonObject>>()
const validators = new Map<JsonObject, ValidateFunction>()

/** Fails if a response does not match the OpenAPI document of its surface. */
export async function assertMatchesOpenApi(
  origin: string,
  method: string,
  path: string,
  answer: { status: number; headers: Headers; text: string },
): Promise<void> {
  const prefix = Object.keys(SURFACES).find((known) => path.startsWith(`${known}/`))
  if (prefix === undefined || answer.text === '' || method === 'HEAD') return
  const document = await load(`${origin}/openapi/${SURFACES[prefix]}.json`)
  const operation = findOperation(document, method, path.slice(prefix.length).split('?', 1)[0] ?? '')
  if (!operation) return
  const responses = asObject(operation['responses'])
  const response = responses[String(answer.status)] ?? responses['default']
  assert.ok(response, `${method} ${path}: ${answer.status} is not described`)
  const content = asObject(asObject(response)['content'] ?? {})
  const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
  const others = operation['x-also-produces']
  if (answer.status === 200 && Array.isArray(others) && others.includes(type)) return
  assert.ok(content[type], `${method} ${path}: ${answer.status} with ${type} is not described`)
  const schema = asObject(content[type])['schema']
  if (!type.endsWith('json') || type.endsWith('ndjson') || schema === undefined) return
  const validate = getValidator(asObject(schema), document)
  assert.ok(
    validate(parseJson(answer.text)),
    `${method} ${path} ${answer.status}: ${ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 2000)}`,
  )
}

function load(address: string): Promise<JsonObject> {
  const known = documents.get(address)
  if (known) return known
  const loading = fetch(address).then(async (response) => asObject(parseJson(await response.text())))
  documents.set(address, loading)
  return loading
}

/** References point into the document's components, so the schema is compiled with them. */
function getValidator(schema: JsonObject, document: JsonObject): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const validate = ajv.compile({ ...schema, components: document['components'] })
  validators.set(schema, validate)
  return validate
}

/** The operation whose path template matches; one without parameters takes precedence. */
function findOperation(document: JsonObject, method: string, path: string): JsonObject | undefined {
  const templates = Object.entries(asObject(document['paths'])).toSorted(
    ([a], [b]) => a.split('{').length - b.split('{').length,
  )
  for (const [template, item] of templates) {
    const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`)
    const operation = pattern.test(path) ? asObject(item)[method.toLowerCase()] : undefined
    if (operation !== undefined) return asObject(operation)
  }
  return undefined
}
