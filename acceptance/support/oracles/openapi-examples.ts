import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { asObject, type JsonObject } from '../json.ts'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Validates every example of a document against the schema that it belongs to. */
export function checkExamples(document: JsonObject): { checked: number; invalid: string[] } {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const { components } = document
  const invalid: string[] = []
  let checked = 0

  const check = (schema: unknown, example: unknown, path: string): void => {
    checked += 1
    const validate = ajv.compile({ ...asObject(schema), components })
    if (!validate(example))
      invalid.push(`${path}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(example)}`)
  }

  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${path}/${index}`)
    if (!isObject(value)) return
    const { schema, example, examples } = value
    // A parameter, a header or a media type.
    if (schema !== undefined) {
      if (example !== undefined) check(schema, example, path)
      if (isObject(examples))
        for (const [name, item] of Object.entries(examples))
          check(schema, asObject(item)['value'], `${path}/${name}`)
    } else if (Array.isArray(examples)) {
      const { examples: _, ...bare } = value
      for (const item of examples) check(bare, item, path)
    }
    for (const [name, inner] of Object.entries(value))
      if (name !== 'example' && name !== 'examples') visit(inner, `${path}/${name}`)
  }

  visit(document, '')
  return { checked, invalid }
}
