import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildApiDocuments } from '../../../src/http/descriptions.ts'
import { loadConfig } from '../../../src/config/config.ts'

interface Node {
  [name: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const documents = buildApiDocuments(loadConfig({}, {}))

/** Every place of a document that must have a description, with its path. */
function* describable(value: unknown, path = ''): Generator<[path: string, node: Node]> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* describable(item, `${path}/${index}`)
  if (!isNode(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const here = `${path}/${name}`
    if (['example', 'examples', 'enum'].includes(name) && !path.endsWith('/properties')) continue
    if (name === 'properties' || name === 'headers' || name === 'responses') {
      for (const [key, item] of Object.entries(isNode(inner) ? inner : {}))
        if (isNode(item)) yield [`${here}/${key}`, item]
    }
    if (name === 'parameters' && Array.isArray(inner))
      for (const item of inner) if (isNode(item)) yield [`${here}/${String(item['name'])}`, item]
    yield* describable(inner, here)
  }
}

const isHeaderReference = (node: Node): boolean => String(node['$ref']).startsWith('#/components/headers/')

for (const [name, document] of documents) {
  test(`every property, parameter, response and header of ${name} is described`, () => {
    const places = [...describable(document)]
    assert.ok(places.length > 100)
    const silent = places
      .filter(([, node]) => !isHeaderReference(node))
      .filter(([, { description }]) => typeof description !== 'string' || description === '')
    assert.deepEqual(
      silent.map(([path]) => path),
      [],
    )
  })

  test(`every required parameter, body and JSON response of ${name} has an example`, () => {
    const missing: string[] = []
    for (const [path, item] of Object.entries((document as { paths: Record<string, Node> }).paths))
      for (const [method, operation] of Object.entries(item as Record<string, Node>)) {
        const {
          parameters = [],
          requestBody,
          responses,
        } = operation as {
          parameters?: Node[]
          requestBody?: Node
          responses: Record<string, Node>
        }
        for (const parameter of parameters)
          if (parameter['required'] === true && !('example' in parameter))
            missing.push(`${method} ${path} ${String(parameter['name'])}`)
        for (const [where, part] of Object.entries({ body: requestBody, ...responses }))
          for (const [type, media] of Object.entries((part?.['content'] ?? {}) as Record<string, Node>))
            if (type.endsWith('json') && !('example' in media) && !('examples' in media))
              missing.push(`${method} ${path} ${where} ${type}`)
      }
    assert.deepEqual(missing, [])
  })

  test(`every operation of ${name} has one media type for its success, and a described tag`, () => {
    const { paths, tags } = document as {
      paths: Record<string, Record<string, { tags: string[]; responses: Record<string, { content?: Node }> }>>
      tags: { name: string }[]
    }
    const known = new Set(tags.map((tag) => tag.name))
    for (const [path, item] of Object.entries(paths))
      for (const operation of Object.values(item)) {
        for (const tag of operation.tags)
          assert.ok(known.delete(tag) || tags.some((one) => one.name === tag), tag)
        for (const [status, { content = {} }] of Object.entries(operation.responses)) {
          const isImage = Object.keys(content).every((type) => type.startsWith('image/'))
          assert.ok(isImage || Object.keys(content).length === 1, `${path} ${status}`)
        }
      }
    assert.deepEqual([...known], [])
  })
}
