import { V1_ENVIRONMENT, V1_UTILITIES } from '../metric/catalogue.ts'
import { DEPRECATED_SINCE, V1_CATALOGUE, type V1Endpoint, type V1Metrics, type V1State } from './catalogue.ts'
import { GUIDE_EXAMPLES, type GuideExample } from './guide-examples.ts'

const FATE: Record<V1State, string> = {
  replaced: 'replaced',
  'awaiting-v2': 'stays until version 2 has it',
  retiring: 'retires',
}

const endpointTable = (): string =>
  V1_CATALOGUE.map(({ method, path, state, replacement }) => {
    const instead = replacement === null ? '' : `\`${method} ${replacement}\``
    return `| \`${method} ${path}\` | ${FATE[state]} | ${instead} |`
  }).join('\n')

const metricNames: Record<V1Metrics, readonly string[]> = {
  utilities: V1_UTILITIES,
  environment: V1_ENVIRONMENT,
  performance: ['performance'],
  none: [],
}

const CREDENTIALS = '-H "Authorization: Bearer $TOKEN" -H "SiteId: $SITE_ID"'

const curlV1 = ({ path }: V1Endpoint, { queryV1 = '' }: GuideExample): string =>
  `curl -sS --fail-with-body "$BASE_URL_V1${path.replace('{spaceId}', '$SPACE_ID')}${queryV1}" \\
  ${CREDENTIALS}`

function curlV2(replacement: string, { metric, queryV2 = '', line }: GuideExample): string {
  const path = replacement.replace('{spaceuuid}', '$SPACE_UUID').replace('{metrictype}', metric ?? '')
  const newest = line === undefined ? '' : ` -H "Accept: text/csv" | ${line}`
  return `curl -sS --fail-with-body "$BASE_URL${path}${queryV2}" \\
  ${CREDENTIALS}${newest}`
}

function section(endpoint: V1Endpoint, replacement: string): string {
  const example = GUIDE_EXAMPLES[endpoint.path]
  if (!example) throw new Error(`There is no example for ${endpoint.path}.`)
  const metrics = metricNames[endpoint.metrics]
  return `### ${endpoint.path}

${example.note}
${metrics.length > 1 ? `\n{metrictype}: ${metrics.map((name) => `\`${name}\``).join(', ')}.\n` : ''}
Before:

\`\`\`sh
${curlV1(endpoint, example)}
\`\`\`

After:

\`\`\`sh
${curlV2(replacement, example)}
\`\`\`
`
}

const sections = (): string =>
  V1_CATALOGUE.flatMap((endpoint) =>
    endpoint.replacement === null ? [] : [section(endpoint, endpoint.replacement)],
  ).join('\n')

const countInState = (state: V1State): number => V1_CATALOGUE.filter((one) => one.state === state).length

/** docs/api/migration.md, made by `npm run docs` and checked by a test. */
export const migrationGuide = (): string => `# From version 1 to version 2

Made from \`packages/server/src/domain/v1-lifecycle/\` by \`npm run docs\`.

Both versions read the same data and take the same token and \`SiteId\`; they differ in addresses, identifiers and the shape of answers. Of the
${V1_CATALOGUE.length} endpoints of version 1, ${countInState('replaced')} are in version 2 and can be moved now, ${countInState('awaiting-v2')} stay until version 2 has them, and ${countInState('retiring')} retire
without a replacement: drop them, or find what they answered elsewhere.

| Version 1 | What becomes of it | Version 2 |
|---|---|---|
${endpointTable()}

## What version 1 says about itself

| Header | On | Means |
|---|---|---|
| \`Deprecation: @${DEPRECATED_SINCE / 1000}\` | what is replaced or retires | deprecated since that moment, in seconds (RFC 9745) |
| \`Link: <…>; rel="deprecation"\` | the same | where to read about it |
| \`Link: <…>; rel="successor-version"\` | what is replaced | what to call instead of this very request, identifiers filled in; one for each metric type |
| \`Sunset: <date>\` | what the operator has set a date for | it ends then (RFC 8594) |

What waits for version 2 carries none of these. After its sunset, and in hours that the operator has announced as a rehearsal, an endpoint answers 410 and names its replacement or says that there
is none.

## Identifiers

Version 1 counts sites, buildings and spaces; version 2 has UUIDs. \`GET /migration/id-map\` has both, for everything on the site that is not
archived: \`{type, id, uuid, name}\`, by \`type\` and \`id\`. \`type\` takes one or more of \`site\`, \`building\` and \`space\`, with commas between; \`limit\` and
\`cursor\` work as on every list. Any partner may ask. The numbers never change by themselves: fetch the map once and keep it.

The addresses, the credential and the site are those you were given; the demo's are in \`data/demo.env\`. \`BASE_URL\` ends in \`/v2\`, \`BASE_URL_V1\` is the
same with \`/v1\`. Version 1 takes the role \`V1.Read\`, the calls of version 2 below \`Spaces.Read\`: an answer 403 names the role that is missing, and the
operator grants it (\`PATCH /operator/partners/{partnerUuid}\`).

\`\`\`sh
TOKEN=$(curl -sS --fail-with-body "$AUTH_URL/oauth2/v2.0/token" -d grant_type=client_credentials -d "client_id=$CLIENT_ID" \\
  -d "client_secret=$CLIENT_SECRET" -d "scope=api://$CLIENT_ID/.default" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -sS --fail-with-body "$BASE_URL/migration/id-map?type=site,building,space" \\
  ${CREDENTIALS} -H "Accept: text/csv" > id-map.csv
SPACE_ID=$(grep -m 1 ^space, id-map.csv | cut -d , -f 2)  # or the number of a space that you know
SPACE_UUID=$(grep "^space,$SPACE_ID," id-map.csv | cut -d , -f 3)
\`\`\`

## How far you are

\`GET /migration/usage\` lists every endpoint of version 1 with your own calls to it: \`{method, path, state, calls, lastSeenAt, replacement}\`, with
\`calls\` 0 and \`lastSeenAt\` null for what you never called. All calls count, whatever was answered.

\`\`\`sh
curl -sS --fail-with-body "$BASE_URL/migration/usage" \\
  ${CREDENTIALS} -H "Accept: text/csv"
\`\`\`

The operator sees the same of all partners at \`GET /operator/migration\` and with \`portico migration report\` (\`--csv\`, \`--json\`). Counts are kept for
good. A server stores them every five seconds and when it stops: a kill loses that much, and a report of another process is that late.

## Before and after

They use the token and the identifiers from above, and these dates:

\`\`\`sh
FROM=2026-11-01
TO=2026-11-08
SINCE=2025-12-01  # eleven months before this one
MONTH=2026-11-01  # this one
\`\`\`

${sections()}`
