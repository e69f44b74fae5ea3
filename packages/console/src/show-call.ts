import type { ApiCall, QueryValue } from './api.ts'

/** A call as code that a program of the partner could contain. */
export interface CallCode {
  curl: string
  typescript: string
  python: string
}

/** A method of the SDK and of the Python client that sends a call. $1 and $2 are the identifiers in its path. */
interface KnownCall {
  pattern: RegExp
  typescript: string
  python: string
  /** Whether the response is a paged list: `limit` requests its first page. */
  isList?: true
}

const one = (pattern: RegExp, typescript: string, python: string): KnownCall => ({
  pattern,
  typescript,
  python,
})

const list = (pattern: RegExp, typescript: string, python: string): KnownCall => ({
  pattern,
  typescript,
  python,
  isList: true,
})

const KNOWN: readonly KnownCall[] = [
  one(/^GET \/account$/, 'portico.account()', 'portico.account()'),
  list(/^GET \/spaces$/, 'site.spaces.list(QUERY)', 'site.spaces(QUERY)'),
  one(/^GET \/spaces\/([^/]+)\/overview$/, 'site.spaces.overview($1)', 'site.space_overview($1)'),
  one(
    /^GET \/spaces\/([^/]+)\/aggregate\/([^/]+)\/hourly$/,
    'site.spaces.hourly($1, $2, QUERY)',
    'site.space_hourly($1, $2, QUERY)',
  ),
  one(
    /^GET \/spaces\/([^/]+)\/aggregate\/([^/]+)\/daily$/,
    'site.spaces.daily($1, $2, QUERY)',
    'site.space_daily($1, $2, QUERY)',
  ),
  list(/^GET \/devices$/, 'site.devices.list(QUERY)', 'site.devices(QUERY)'),
  one(/^GET \/devices\/([^/]+)$/, 'site.devices.get($1)', 'site.device($1)'),
  one(/^GET \/devices\/([^/]+)\/schedule$/, 'site.devices.currentSchedule($1)', 'site.current_schedule($1)'),
  one(/^POST \/devices\/([^/]+)\/schedule$/, 'site.devices.schedule($1, BODY)', 'site.schedule($1, BODY)'),
  list(/^GET \/devices\/([^/]+)\/commands$/, 'site.commands.list($1)', 'site.commands($1)'),
  one(
    /^GET \/devices\/([^/]+)\/commands\/([^/]+)$/,
    'site.commands.wait({ deviceUuid: $1, commandUuid: $2 })',
    'site.wait({"deviceUuid": $1, "commandUuid": $2})',
  ),
  one(
    /^DELETE \/devices\/([^/]+)\/commands\/([^/]+)$/,
    'site.commands.cancel({ deviceUuid: $1, commandUuid: $2 })',
    'site.cancel({"deviceUuid": $1, "commandUuid": $2})',
  ),
  one(/^GET \/consumption\/hourly$/, 'site.consumption.hourly(QUERY)', 'site.consumption_hourly(QUERY)'),
  one(/^GET \/aggregate\/hourly$/, 'site.aggregate.hourly(QUERY)', 'site.aggregate_hourly(QUERY)'),
  one(/^GET \/aggregate\/daily$/, 'site.aggregate.daily(QUERY)', 'site.aggregate_daily(QUERY)'),
  one(/^GET \/latest$/, 'site.latest(QUERY)', 'site.latest(QUERY)'),
]

/** The request of a panel as curl, TypeScript and Python. Credentials come from the environment and are never shown. */
export const toCode = (call: ApiCall, origin: string): CallCode => ({
  curl: toCurl(call, origin),
  typescript: toTypescript(call),
  python: toPython(call),
})

function toCurl(
  { api, method, path, query, siteId, body, bodyFile, accept }: ApiCall,
  origin: string,
): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(`${origin}/${api}${path}${toSearch(query)}`)}`,
  ]
  lines.push(`-H "Authorization: Bearer $TOKEN"`)
  if (siteId !== undefined) lines.push(`-H ${quote(`SiteId: ${siteId}`)}`)
  if (accept !== undefined) lines.push(`-H ${quote(`Accept: ${accept}`)}`)
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`)
    if (isSchedule(method, path)) lines.push(`-H "Idempotency-Key: $(uuidgen)"`)
    lines.push(bodyFile === undefined ? `-d ${quote(JSON.stringify(body))}` : `--data-binary @${bodyFile}`)
  }
  return lines.join(' \\\n  ')
}

const isSchedule = (method: string, path: string): boolean => method === 'POST' && path.endsWith('/schedule')

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function toSearch(query: ApiCall['query'] = {}): string {
  const search = toPairs(query)
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',').replaceAll('%3A', ':')}`,
    )
    .join('&')
  return search === '' ? '' : `?${search}`
}

const toPairs = (query: ApiCall['query'] = {}): [string, NonNullable<QueryValue>][] =>
  Object.entries(query).filter((pair): pair is [string, NonNullable<QueryValue>] => pair[1] !== undefined)

interface FoundCall extends KnownCall {
  identifiers: string[]
}

/** Calls without a method, and responses that are not JSON, are shown as plain requests. */
function findKnown({ api, method, path, siteId, accept }: ApiCall): FoundCall | undefined {
  if (api === 'operator' || accept !== undefined) return undefined
  for (const known of KNOWN) {
    const match = known.pattern.exec(`${method} ${path}`)
    if (match && (siteId !== undefined || !known.typescript.startsWith('site.')))
      return { ...known, identifiers: match.slice(1).map(decodeURIComponent) }
  }
  return undefined
}

/** The SDK calls the ends of a range `from` and `to`. */
const SDK_NAMES: Readonly<Record<string, string>> = { fromDateTime: 'from', toDateTime: 'to' }

function toTypescript(call: ApiCall): string {
  const { api, method, path, query, siteId, bodyFile, accept } = call
  const body = bodyFile === undefined ? call.body : new Expression('document')
  const known = findKnown(call)
  const lines =
    api === 'v2'
      ? ["import { Portico } from '@portico/sdk'", '', 'const portico = new Portico()']
      : [
          "import { PorticoOperator } from '@portico/sdk/operator'",
          '',
          'const operator = new PorticoOperator()',
        ]
  if (bodyFile !== undefined) lines.unshift(`import document from './${bodyFile}' with { type: 'json' }`)
  const pairs = toPairs(query)
  if (!known) {
    const options = {
      ...(siteId === undefined ? {} : { siteId }),
      ...(pairs.length > 0 ? { query: Object.fromEntries(pairs) } : {}),
      ...(body === undefined ? {} : { body }),
      ...(accept === undefined ? {} : { headers: { accept } }),
    }
    const client = api === 'v2' ? 'portico' : 'operator'
    const parameters = [toLiteral(method), toLiteral(path)]
    if (Object.keys(options).length > 0) parameters.push(toLiteral(options))
    lines.push('', `const answer = await ${client}.request(${parameters.join(', ')})`)
    return lines.join('\n')
  }
  if (siteId !== undefined) lines.push(`const site = portico.site(${toLiteral(siteId)})`)
  const fields = Object.fromEntries(pairs.map(([name, value]) => [SDK_NAMES[name] ?? name, value]))
  const identifiers = known.identifiers.map((text) => toLiteral(text))
  const write = (length?: number): string =>
    fill(known.typescript, identifiers, toLiteral(fields, '', length), toLiteral(body, '', length))
  // If a line is too long, each field is on a separate line.
  const sent = write().length > LINE_CHARACTERS ? write(0) : write()
  const isPage = known.isList && 'limit' in fields
  const read = isPage ? '.page()' : known.isList ? '.toArray()' : ''
  lines.push('', `const ${isPage ? '{ data }' : 'answer'} = await ${sent}${read}`)
  return lines.join('\n')
}

/** Code in place of a value that is not shown. */
class Expression {
  readonly code: string

  constructor(code: string) {
    this.code = code
  }
}

/** Puts identifiers, query and body into the text of a call; an empty query is left out with its comma. */
function fill(template: string, identifiers: readonly string[], query: string, body: string): string {
  return template
    .replaceAll(/\$([12])/g, (_, group: string) => identifiers[Number(group) - 1] ?? '')
    .replace(/(, )?QUERY/, (_, comma = '') => (query === '{}' || query === '' ? '' : `${comma}${query}`))
    .replace('BODY', () => body)
}

/** The longest value that stays on one line. */
const LINE_CHARACTERS = 88

/** JSON in the style of a program: names without quotes, strings in single quotes, long values over several lines. */
function toLiteral(value: unknown, indent = '', length = LINE_CHARACTERS): string {
  if (value instanceof Expression) return value.code
  const toItem = (item: unknown): string => toLiteral(item, `${indent}  `)
  if (Array.isArray(value)) return wrap('[', ']', value.map(toItem), indent, '  ')
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([name, field]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : toLiteral(name)}: ${toItem(field)}`,
    )
    return fields.length === 0 ? '{}' : wrap('{ ', ' }', fields, indent, '  ', length)
  }
  if (typeof value === 'string')
    return `'${value
      .replaceAll('\\', '\\\\')
      .replaceAll("'", String.raw`\'`)
      .replaceAll('\n', String.raw`\n`)}'`
  return String(value)
}

/** Items on one line if they fit, otherwise one per line. */
function wrap(
  open: string,
  close: string,
  items: readonly string[],
  indent: string,
  step: string,
  length = LINE_CHARACTERS,
): string {
  const line = `${open}${items.join(', ')}${close}`
  if (line.length + indent.length <= length && !line.includes('\n')) return line
  const lines = items.map((item) => `${indent}${step}${item},`)
  return [open.trimEnd(), ...lines, `${indent}${close.trimStart()}`].join('\n')
}

function toPython(call: ApiCall): string {
  const { api, method, path, query, siteId, bodyFile, accept } = call
  const body = bodyFile === undefined ? call.body : new Expression(`json.load(open("${bodyFile}"))`)
  const known = findKnown(call)
  const pairs = toPairs(query)
  const limit = known?.isList ? pairs.find(([name]) => name === 'limit')?.[1] : undefined
  const lines = [
    ...(bodyFile === undefined ? [] : ['import json']),
    ...(api === 'operator' ? ['import os'] : limit === undefined ? [] : ['from itertools import islice']),
    ...(api === 'operator' || limit !== undefined ? [''] : []),
    'from portico import Portico',
    '',
    ...(api === 'v2' ? ['portico = Portico()'] : OPERATOR_IN_PYTHON),
  ]
  if (!known) {
    const parameters = [
      toPythonLiteral(method),
      toPythonLiteral(path),
      ...(siteId === undefined ? [] : [`site_id=${toPythonLiteral(siteId)}`]),
      ...(pairs.length > 0 ? [`query=${toPythonLiteral(Object.fromEntries(pairs), '    ')}`] : []),
      ...(body === undefined ? [] : [`body=${toPythonLiteral(body, '    ')}`]),
      ...(accept === undefined ? [] : [`headers=${toPythonLiteral({ Accept: accept })}`]),
    ]
    const client = api === 'v2' ? 'portico' : 'operator'
    const request = toPythonCall(`${client}.request`, parameters)
    lines.push('', `answer = ${request}${accept === undefined ? '.json()' : '.text'}`)
    return lines.join('\n')
  }
  if (siteId !== undefined) lines.push(`site = portico.site(${toPythonLiteral(siteId)})`)
  const name = known.python.slice(0, known.python.indexOf('('))
  const template = known.python.slice(known.python.indexOf('(') + 1, -1)
  const parameters = template
    .split(', ')
    .filter((part) => part !== '')
    .flatMap((part): string[] => {
      if (part === 'QUERY') return pairs.map(([field, value]) => `${field}=${toPythonLiteral(value, '    ')}`)
      if (part === 'BODY') return [toPythonLiteral(body, '    ')]
      return [
        part.replaceAll(/\$([12])/g, (_, group: string) =>
          toPythonLiteral(known.identifiers[Number(group) - 1]),
        ),
      ]
    })
  const sent = toPythonCall(name, parameters)
  const read = !known.isList
    ? sent
    : limit === undefined
      ? `list(${sent})`
      : `list(islice(${sent}, ${String(limit)}))`
  lines.push('', `answer = ${read}`)
  return lines.join('\n')
}

/** The client of the partner API can also call the operator API. */
const OPERATOR_IN_PYTHON = [
  'operator = Portico(',
  '    base_url=os.environ["PORTICO_OPERATOR_URL"],',
  '    client_id=os.environ["PORTICO_OPERATOR_CLIENT_ID"],',
  '    client_secret=os.environ["PORTICO_OPERATOR_CLIENT_SECRET"],',
  ')',
]

const toPythonCall = (name: string, parameters: readonly string[]): string =>
  wrap(`${name}(`, ')', parameters, '', '    ')

function toPythonLiteral(value: unknown, indent = ''): string {
  if (value instanceof Expression) return value.code
  const toItem = (item: unknown): string => toPythonLiteral(item, `${indent}    `)
  if (Array.isArray(value)) return wrap('[', ']', value.map(toItem), indent, '    ')
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => `${toPythonLiteral(name)}: ${toItem(field)}`)
    return wrap('{', '}', fields, indent, '    ')
  }
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null || value === undefined) return 'None'
  return JSON.stringify(value)
}
