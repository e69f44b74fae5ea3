import assert from 'node:assert/strict'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { asObject, type JsonObject, parseJson } from '../json.ts'

/** The surfaces that have an OpenAPI document, by path prefix. */
const SURFACES: Record<string, string> = { '/v2': 'v2', '/v1': 'v1', '/operator': 'operator' }

/** Compiling takes longer than validating; openapi.test.ts checks the documents themselves. */
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
})
addFormats.default(ajv)

interface PathItem {
  template: string
  pattern: RegExp
  operations: JsonObject
}

/** A document as ajv knows it. Servers whose documents have the same paths and components share it. */
interface Description {
  key: string
  items: PathItem[]
  validators: Map<string, ValidateFunction>
}

const loading = new Map<string, Promise<Description>>()
const descriptions = new Map<string, Description>()

/** Fails if a response does not match the OpenAPI document of its surface. */
export async function assertMatchesOpenApi(
  origin: string,
  method: string,
  path: string,
  answer: { status: number; headers: Headers; text: string },
): Promise<void> {
  const prefix = Object.keys(SURFACES).find((known) => path.startsWith(`${known}/`))
  if (prefix === undefined || answer.text === '' || method === 'HEAD') return
  const description = await load(`${origin}/openapi/${SURFACES[prefix]}.json`)
  const name = method.toLowerCase()
  const item = findPathItem(description, name, path.slice(prefix.length).split('?', 1)[0] ?? '')
  if (!item) return
  const operation = asObject(item.operations[name])
  const responses = asObject(operation['responses'])
  const status = String(answer.status) in responses ? String(answer.status) : 'default'
  const response = responses[status]
  assert.ok(response, `${method} ${path}: ${answer.status} is not described`)
  const content = asObject(asObject(response)['content'] ?? {})
  const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
  const others = operation['x-also-produces']
  if (answer.status === 200 && Array.isArray(others) && others.includes(type)) return
  assert.ok(content[type], `${method} ${path}: ${answer.status} with ${type} is not described`)
  const schema = asObject(content[type])['schema']
  if (!type.endsWith('json') || type.endsWith('ndjson') || schema === undefined) return
  const pointer = ['paths', item.template, name, 'responses', status, 'content', type, 'schema']
  const validate = getValidator(description, pointer)
  if (!validate(parseJson(answer.text)))
    assert.fail(
      `${method} ${path} ${answer.status}: ${ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 2000)}`,
    )
}

function load(address: string): Promise<Description> {
  const known = loading.get(address)
  if (known) return known
  const started = fetch(address).then(async (response) =>
    getDescription(asObject(parseJson(await response.text()))),
  )
  loading.set(address, started)
  return started
}

function getDescription({ paths, components }: JsonObject): Description {
  const text = JSON.stringify({ paths, components })
  const known = descriptions.get(text)
  if (known) return known
  const items = Object.entries(asObject(paths))
    .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([template, item]) => ({
      template,
      pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      operations: asObject(item),
    }))
  const description = { key: `document-${descriptions.size}`, items, validators: new Map() }
  ajv.addSchema({ paths, components }, description.key)
  descriptions.set(text, description)
  return description
}

/** Compiles the schema at a place in a document. */
function getValidator({ key, validators }: Description, place: string[]): ValidateFunction {
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  const $ref = `${key}#/${pointer.join('/')}`
  const known = validators.get($ref)
  if (known) return known
  const validate = ajv.compile({ $ref })
  validators.set($ref, validate)
  return validate
}

/** The path item with this operation whose template matches; one without parameters takes precedence. */
const findPathItem = ({ items }: Description, method: string, path: string): PathItem | undefined =>
  items.find(({ pattern, operations }) => operations[method] !== undefined && pattern.test(path))
