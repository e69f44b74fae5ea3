import type { ApiCall, QueryValue } from './api.ts'

/** A call as code that a program of the partner could contain. */
export interface CallCode {
  curl: string
  typescript: string
  python: string
}

/** Methods of the SDK and of the Python client that send a call; $1 and $2 are the identifiers in its path. */
const METHODS: readonly (readonly [pattern: RegExp, typescript: string, python: string])[] = [
  [/^GET \/account$/, 'portico.account()', 'portico.account()'],
  [/^GET \/spaces$/, 'site.spaces.list(QUERY).toArray()', 'list(site.spaces(QUERY))'],
  [/^GET \/spaces\/([^/]+)\/overview$/, 'site.spaces.overview($1)', 'site.space_overview($1)'],
  [
    /^GET \/spaces\/([^/]+)\/aggregate\/([^/]+)\/hourly$/,
    'site.spaces.hourly($1, $2, QUERY)',
    'site.space_hourly($1, $2, QUERY)',
  ],
  [
    /^GET \/spaces\/([^/]+)\/aggregate\/([^/]+)\/daily$/,
    'site.spaces.daily($1, $2, QUERY)',
    'site.space_daily($1, $2, QUERY)',
  ],
  [/^GET \/devices$/, 'site.devices.list(QUERY).toArray()', 'list(site.devices(QUERY))'],
  [/^GET \/devices\/([^/]+)$/, 'site.devices.get($1)', 'site.device($1)'],
  [/^GET \/devices\/([^/]+)\/schedule$/, 'site.devices.currentSchedule($1)', 'site.current_schedule($1)'],
  [/^POST \/devices\/([^/]+)\/schedule$/, 'site.devices.schedule($1, BODY)', 'site.schedule($1, BODY)'],
  [/^GET \/aggregate\/hourly$/, 'site.aggregate.hourly(QUERY)', 'site.aggregate_hourly(QUERY)'],
  [/^GET \/aggregate\/daily$/, 'site.aggregate.daily(QUERY)', 'site.aggregate_daily(QUERY)'],
  [/^GET \/latest$/, 'site.latest(QUERY)', 'site.latest(QUERY)'],
]

/** The request of a panel as curl, TypeScript and Python. Credentials come from the environment and are never shown. */
export const toCode = (call: ApiCall, origin: string): CallCode => ({
  curl: toCurl(call, origin),
  typescript: toTypescript(call),
  python: toPython(call),
})

function toCurl({ api, method, path, query, siteId, body, bodyFile }: ApiCall, origin: string): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(`${origin}/${api}${path}${toSearch(query)}`)}`,
  ]
  lines.push(`-H "Authorization: Bearer $TOKEN"`)
  if (siteId !== undefined) lines.push(`-H ${quote(`SiteId: ${siteId}`)}`)
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

function findMethod({
  api,
  method,
  path,
}: ApiCall): { match: RegExpExecArray; typescript: string; python: string } | undefined {
  if (api === 'operator') return undefined
  for (const [pattern, typescript, python] of METHODS) {
    const match = pattern.exec(`${method} ${path}`)
    if (match) return { match, typescript, python }
  }
  return undefined
}

/** The SDK calls the ends of a range `from` and `to`. */
const SDK_NAMES: Readonly<Record<string, string>> = { fromDateTime: 'from', toDateTime: 'to' }

function toTypescript(call: ApiCall): string {
  const { api, method, path, query, siteId, body, bodyFile } = call
  const known = findMethod(call)
  const client =
    api === 'v2'
      ? ["import { Portico } from '@portico/sdk'", '', 'const portico = new Portico()']
      : [
          "import { PorticoOperator } from '@portico/sdk/operator'",
          '',
          'const operator = new PorticoOperator()',
        ]
  if (bodyFile !== undefined) client.unshift(`import document from './${bodyFile}' with { type: 'json' }`)
  if (known && siteId !== undefined) client.push(`const site = portico.site('${siteId}')`)
  const pairs = toPairs(query).map(([name, value]) => [SDK_NAMES[name] ?? name, value] as const)
  const expression = known
    ? fill(known, (text) => `'${text}'`, toLiteral(Object.fromEntries(pairs)), toLiteral(body))
    : `${api === 'v2' ? 'portico' : 'operator'}.request('${method}', '${path}'${toOptions({
        ...(siteId === undefined ? {} : { siteId }),
        ...(toPairs(query).length > 0 ? { query: Object.fromEntries(toPairs(query)) } : {}),
        ...(body === undefined ? {} : { body: bodyFile === undefined ? body : BODY_OF_FILE }),
      })})`.replace(`'${BODY_OF_FILE}'`, 'document')
  return [...client, '', `const answer = await ${expression}`].join('\n')
}

/** Stands for the content of a file until the code is complete. */
const BODY_OF_FILE = '\u0000'

const toOptions = (options: object): string =>
  Object.keys(options).length === 0 ? '' : `, ${toLiteral(options)}`

/** Puts identifiers, query and body into the text of a call; an empty query is left out with its comma. */
function fill(
  { match, typescript }: { match: RegExpExecArray; typescript: string },
  toText: (text: string) => string,
  query: string,
  body: string,
): string {
  return typescript
    .replaceAll(/\$([12])/g, (_, group: string) => toText(decodeURIComponent(match[Number(group)] ?? '')))
    .replace(/(, )?QUERY/, (_, comma = '') => (query === '{}' || query === '' ? '' : `${comma}${query}`))
    .replace('BODY', () => body)
}

/** JSON in the style of a program: names without quotes, strings in single quotes. */
function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => `${name}: ${toLiteral(field)}`)
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
  }
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
  return String(value)
}

function toPython(call: ApiCall): string {
  const { api, method, path, query, siteId, body, bodyFile } = call
  const lines = [...(bodyFile === undefined ? [] : ['import json', '']), 'from portico import Portico', '']
  lines.push(api === 'v2' ? 'portico = Portico()' : 'operator = Portico(base_url=OPERATOR_URL)')
  const known = findMethod(call)
  if (known && siteId !== undefined) lines.push(`site = portico.site(${JSON.stringify(siteId)})`)
  const names = toPairs(query)
    .map(([name, value]) => `${name}=${toPythonLiteral(value)}`)
    .join(', ')
  const options = [
    ...(siteId === undefined ? [] : [`site_id=${JSON.stringify(siteId)}`]),
    ...(toPairs(query).length > 0 ? [`query=${toPythonLiteral(Object.fromEntries(toPairs(query)))}`] : []),
    ...(body === undefined
      ? []
      : [`body=${bodyFile === undefined ? toPythonLiteral(body) : `json.load(open("${bodyFile}"))`}`]),
  ]
  const expression = known
    ? fill(
        { match: known.match, typescript: known.python },
        (text) => JSON.stringify(text),
        names,
        toPythonLiteral(body),
      )
    : `${api === 'v2' ? 'portico' : 'operator'}.request(${[`"${method}"`, `"${path}"`, ...options].join(', ')}).json()`
  return [...lines, '', `answer = ${expression}`].join('\n')
}

function toPythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toPythonLiteral).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, field]) => `${JSON.stringify(name)}: ${toPythonLiteral(field)}`)
      .join(', ')}}`
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null || value === undefined) return 'None'
  return JSON.stringify(value)
}
