import { readFileSync } from 'node:fs'
import { loadConfig } from '@portico/server/config/config'
import { buildApiDocuments } from '@portico/server/http/descriptions'

/** The types of the SDK, made from the OpenAPI documents. A test fails if they are out of date: npm run docs. */

interface Schema {
  $ref?: string
  type?: string
  enum?: (string | boolean)[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
}

interface Operation {
  operationId: string
  parameters?: { in: string; name: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
}

interface ApiDocument {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Operation>>
}

const toName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

const comment = (text: string | undefined, indent = ''): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)

/** Names of the schemas that a schema contains. */
function collectNames(
  schema: Schema,
  schemas: Record<string, Schema>,
  found = new Set<string>(),
): Set<string> {
  if (schema.$ref !== undefined) {
    const name = toName(schema.$ref)
    const target = schemas[name]
    if (found.has(name) || !target) return found
    return collectNames(target, schemas, found.add(name))
  }
  const inner = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})]
  if (typeof schema.additionalProperties === 'object') inner.push(schema.additionalProperties)
  for (const one of inner) if (one) collectNames(one, schemas, found)
  return found
}

class TypeWriter {
  readonly schemas: Record<string, Schema>
  readonly operations: Operation[]
  /** Schemas of request bodies, whose enums are closed. */
  readonly requested: ReadonlySet<string>

  constructor({ components, paths }: ApiDocument) {
    this.schemas = components.schemas
    this.operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const bodies = this.operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
    const names = bodies.flatMap(({ schema }) => (schema ? [...collectNames(schema, this.schemas)] : []))
    this.requested = new Set(names)
  }

  /** The declaration of every schema, by name. */
  declarations(): Map<string, string> {
    return new Map(
      Object.entries(this.schemas).map(([name, schema]) => [name, this.#declaration(name, schema)]),
    )
  }

  /** The query parameters of every operation that has some. */
  queries(): string[] {
    return this.operations.flatMap(({ operationId, parameters = [] }) => {
      const fields = parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, description, required, schema }) => {
          const type = this.#type(schema, '  ', false)
          const declared = required === true ? `${name}: ${type}` : `${name}?: ${type} | undefined`
          return `${comment(description, '  ')}  ${declared}\n`
        })
      const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`
      return fields.length > 0 ? [`export interface ${name} {\n${fields.join('')}}\n`] : []
    })
  }

  #declaration(name: string, schema: Schema): string {
    const isOpen = !this.requested.has(name) && schema.enum === undefined
    const type = this.#type(schema, '', isOpen)
    const declared = schema.properties ? `interface ${name} ${type}` : `type ${name} = ${type}`
    return `${comment(schema.description)}export ${declared}\n`
  }

  #type(schema: Schema, indent: string, isOpen: boolean): string {
    if (schema.$ref !== undefined) {
      const name = toName(schema.$ref)
      return isOpen && this.schemas[name]?.enum ? `Open<${name}>` : name
    }
    if (schema.anyOf) return schema.anyOf.map((one) => this.#type(one, indent, isOpen)).join(' | ')
    if (schema.enum) {
      const values = schema.enum.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
      // A single value discriminates the members of a union, so it stays closed.
      return isOpen && values.length > 1 ? `Open<${values.join(' | ')}>` : values.join(' | ')
    }
    if (schema.type === 'array') {
      const item = this.#type(schema.items ?? {}, indent, isOpen)
      return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`
    }
    if (schema.properties) return this.#object(schema, indent, isOpen)
    if (schema.type === 'object') {
      const { additionalProperties } = schema
      const value = typeof additionalProperties === 'object' ? additionalProperties : {}
      return `Record<string, ${this.#type(value, indent, isOpen)}>`
    }
    if (schema.type === 'integer') return 'number'
    return schema.type ?? 'unknown'
  }

  #object({ properties = {}, required = [] }: Schema, indent: string, isOpen: boolean): string {
    const fields = Object.entries(properties).map(([name, schema]) => {
      const key = isIdentifier(name) ? name : `'${name}'`
      const type = this.#type(schema, `${indent}  `, isOpen)
      return `${comment(schema.description, `${indent}  `)}${indent}  ${key}${required.includes(name) ? '' : '?'}: ${type}\n`
    })
    return `{\n${fields.join('')}${indent}}`
  }
}

const NOTE = (name: string): string =>
  `// Made from the OpenAPI document ${name} by scripts/write-sdk-types.ts.\n`

const OPEN = `/** A value of an enumeration to which later versions of the server may add. */
export type Open<T extends string> = T | (string & {})
`

const load = (name: string): TypeWriter => {
  const document = buildApiDocuments(loadConfig({}, {})).get(name)
  if (!document) throw new Error(`no document ${name}`)
  return new TypeWriter(document as ApiDocument)
}

/** packages/sdk/src/types.ts */
export function partnerTypes(): string {
  const v2 = load('v2')
  return [NOTE('/openapi/v2.json'), OPEN, ...v2.declarations().values(), ...v2.queries()].join('\n')
}

/** packages/sdk/src/operator-types.ts, without the types that are also in types.ts */
export function operatorTypes(): string {
  const shared = load('v2').declarations()
  const operator = load('operator')
  const own: string[] = []
  const imported = ['Open']
  const declared = operator.declarations()
  const isShared = (name: string): boolean =>
    [name, ...collectNames({ $ref: `#/${name}` }, operator.schemas)].every(
      (part) => shared.get(part) === declared.get(part),
    )
  for (const [name, text] of declared)
    if (isShared(name)) imported.push(name)
    else own.push(text)
  const text = own.join('\n')
  const used = imported.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).toSorted()
  return [
    NOTE('/openapi/operator.json'),
    `import type { ${used.join(', ')} } from './types.ts'\n`,
    text,
  ].join('\n')
}

const PYTHON = new URL('../clients/python/portico.py', import.meta.url)

/** The types that the Python client returns. */
const PYTHON_RESULTS = [
  'Account',
  'Command',
  'Device',
  'DeviceSchedule',
  'DeviceSeriesBatch',
  'DeviceWindows',
  'LatestValues',
  'MetricType',
  'Reading',
  'Site',
  'Space',
  'SpaceOverview',
  'SpaceSeries',
  'SpaceSeriesBatch',
]

/** `Site` is already a class of the client. */
const toPythonName = (name: string): string => (name === 'Site' ? 'SiteRecord' : name)

/** clients/python/portico.py, whose last part is generated. */
export function pythonClient(): string {
  const code = readFileSync(PYTHON, 'utf8')
  const note = /^# Types of responses, .*\n/m.exec(code)
  if (!note) throw new Error('the Python client has no place for types')
  const { schemas } = load('v2')
  const names = PYTHON_RESULTS.flatMap((name) => [name, ...collectNames({ $ref: name }, schemas)])
  const types = [...new Set(names)].toSorted().flatMap((name) => {
    const { properties, description } = schemas[name] ?? {}
    if (!properties) return []
    const fields = Object.entries(properties).map(
      ([key, schema]) => `    ${key}: ${toPython(schema, schemas)}\n`,
    )
    const text = description === undefined ? '' : `    """${description}"""\n\n`
    return [`\n\nclass ${toPythonName(name)}(TypedDict, total=False):\n${text}${fields.join('')}`]
  })
  return code.slice(0, note.index + note[0].length) + types.join('')
}

function toPython(schema: Schema, schemas: Record<string, Schema>): string {
  if (schema.$ref !== undefined) {
    const name = toName(schema.$ref)
    const target = schemas[name]
    return target?.properties ? toPythonName(name) : toPython(target ?? {}, schemas)
  }
  if (schema.anyOf) {
    const types = [...new Set(schema.anyOf.map((one) => toPython(one, schemas)))]
    const [first = 'Any'] = types.filter((type) => type !== 'None')
    if (types.length === 2 && types.includes('None')) return `Optional[${first}]`
    return types.length === 1 ? first : `Union[${types.join(', ')}]`
  }
  const simple: Record<string, string> = {
    string: 'str',
    number: 'float',
    integer: 'int',
    boolean: 'bool',
    null: 'None',
  }
  if (schema.type === 'array') return `List[${toPython(schema.items ?? {}, schemas)}]`
  if (schema.type === 'object') return 'Dict[str, Any]'
  return simple[schema.type ?? ''] ?? 'Any'
}
