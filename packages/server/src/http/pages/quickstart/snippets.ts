/** Languages of the snippets, in the order of the tabs. */
export const LANGUAGES = { typescript: 'TypeScript', curl: 'curl', python: 'Python' } as const

export type Language = keyof typeof LANGUAGES

/**
 * One call in each language. Each snippet continues the previous one and reads the credentials from the environment.
 */
export type Snippets = Record<Language, string>

export const getToken: Snippets = {
  typescript: `import { Portico } from '@portico/sdk'

const portico = new Portico()
const { name, roles } = await portico.account()
console.log(name, roles)`,

  curl: `TOKEN=$(curl -s "$PORTICO_AUTH_URL/oauth2/v2.0/token" \\
  -d grant_type=client_credentials \\
  -d "client_id=$PORTICO_CLIENT_ID" \\
  -d "client_secret=$PORTICO_CLIENT_SECRET" \\
  -d "scope=api://$PORTICO_CLIENT_ID/.default" |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,

  python: `from portico import Portico

portico = Portico()
account = portico.account()
print(account["name"], account["roles"])`,
}

/** Replaces the first call if an external issuer issues the tokens. */
export const bringToken: Snippets = {
  typescript: `import { Portico } from '@portico/sdk'

const portico = new Portico({ token: () => 'your-access-token' })`,

  curl: `TOKEN=your-access-token`,

  python: `from portico import Portico

portico = Portico(token=lambda: "your-access-token")`,
}

export const sitesSnippets: Snippets = {
  typescript: `for await (const { siteUuid, siteName } of portico.sites()) {
  console.log(siteUuid, siteName)
}`,

  curl: `curl -s "$PORTICO_BASE_URL/sites" -H "Authorization: Bearer $TOKEN"
echo`,

  python: `for granted in portico.sites():
    print(granted["siteUuid"], granted["siteName"])`,
}

export const spacesSnippets: Snippets = {
  typescript: `const site = portico.site()
const spaces = await site.spaces.list({ metricType: 'electricity' }).toArray()
for (const { spaceUuid, spaceName } of spaces) {
  console.log(spaceUuid, spaceName)
}`,

  curl: `curl -s "$PORTICO_BASE_URL/spaces?metricType=electricity" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID"
echo`,

  python: `site = portico.site()
spaces = list(site.spaces(metricType="electricity"))
for space in spaces:
    print(space["spaceUuid"], space["spaceName"])`,
}

export const hourlyElectricity: Snippets = {
  typescript: `const { spaceUuid } = spaces[0]!
const hourly = await site.spaces.hourly(spaceUuid, 'electricity')
for (const { timestamp, value } of hourly.timeSeries) {
  console.log(timestamp, value, hourly.unit)
}`,

  curl: `SPACE_UUID=$(curl -s "$PORTICO_BASE_URL/spaces?metricType=electricity&limit=1" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID" |
  sed 's/.*"spaceUuid":"\\([^"]*\\)".*/\\1/')

curl -s "$PORTICO_BASE_URL/spaces/$SPACE_UUID/aggregate/electricity/hourly" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID"
echo`,

  python: `hourly = site.space_hourly(spaces[0]["spaceUuid"], "electricity")
for point in hourly["timeSeries"]:
    print(point["timestamp"], point["value"], hourly["unit"])`,
}

export const batchSnippets: Snippets = {
  typescript: `import { lastDays } from '@portico/sdk'

const many = await site.aggregate.daily({
  metricTypes: ['electricity', 'temperature'],
  ...lastDays(7),
})
for (const { spaceUuid, metricType, points } of many.rows()) {
  console.log(spaceUuid, metricType, points.at(-1)?.value)
}`,

  curl: `WEEK=$(date -u -d '7 days ago' +%F 2>/dev/null || date -u -v-7d +%F)
curl -s "$PORTICO_BASE_URL/aggregate/daily?metricTypes=electricity,temperature&fromDateTime=$WEEK" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID"
echo`,

  python: `from datetime import date, timedelta

many = site.aggregate_daily(
    ["electricity", "temperature"],
    fromDateTime=date.today() - timedelta(days=7),
)
for series in many["series"]:
    print(series["spaceUuid"], series["metricType"], series["values"][-1])`,
}

export const pagesSnippets: Snippets = {
  typescript: `let count = 0
for await (const device of site.devices.list({ limit: 100 })) {
  if (device.status !== 'unknown') count += 1
}
console.log(count, 'devices')`,

  curl: `CURSOR=
while :; do
  PAGE=$(curl -s "$PORTICO_BASE_URL/devices?limit=100\${CURSOR:+&cursor=$CURSOR}" \\
    -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID")
  printf '%s' "$PAGE" | grep -o '"deviceName":"[^"]*"'
  CURSOR=$(printf '%s' "$PAGE" |
    sed -n 's/.*"nextCursor":"\\([^"]*\\)".*/\\1/p')
  [ -n "$CURSOR" ] || break
done`,

  python: `count = 0
for device in site.devices(limit=100):
    if device["status"] != "unknown":
        count += 1
print(count, "devices")`,
}

export const controlSnippets: Snippets = {
  typescript: `import { CommandFailedError } from '@portico/sdk'

const valves = site.devices.list({ deviceType: 'trv', status: 'online' })
const { data } = await valves.page()
const command = await site.devices.schedule(data[0]!.deviceUuid, {
  type: 'override',
  target: { temperature: 21 },
  durationMinutes: 30,
})
try {
  const { state } = await site.commands.wait(command)
  console.log(state)
} catch (error) {
  if (!(error instanceof CommandFailedError)) throw error
  console.log(error.command.state, error.code)
}`,

  curl: `DEVICE_UUID=$(curl -s "$PORTICO_BASE_URL/devices?deviceType=trv&status=online&limit=1" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID" |
  sed 's/.*"deviceUuid":"\\([^"]*\\)".*/\\1/')

COMMAND_UUID=$(curl -s "$PORTICO_BASE_URL/devices/$DEVICE_UUID/schedule" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: quickstart-$(date +%s)" \\
  -d '{"type":"override","target":{"temperature":21},"durationMinutes":30}' |
  sed 's/.*"commandUuid":"\\([^"]*\\)".*/\\1/')

until curl -s "$PORTICO_BASE_URL/devices/$DEVICE_UUID/commands/$COMMAND_UUID" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID" |
  grep -oE '"state":"(CONFIRMED|FAILED|EXPIRED|CANCELLED)"'
do sleep 1; done`,

  python: `from portico import CommandFailedError

valve = next(site.devices(deviceType="trv", status="online"))
command = site.schedule(valve["deviceUuid"], {
    "type": "override",
    "target": {"temperature": 21},
    "durationMinutes": 30,
})
try:
    print(site.wait(command)["state"])
except CommandFailedError as error:
    print(error.command["state"], error.code)`,
}

export const eventsSnippets: Snippets = {
  typescript: `const events = await site.events.page({ types: ['command.updated'] })
for (const { number, type, data } of events.data) {
  console.log(number, type, data.command.state)
}`,

  curl: `curl -s "$PORTICO_BASE_URL/events?types=command.updated" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID"
echo`,

  python: `for event in site.events(types="command.updated"):
    print(event["number"], event["type"], event["data"]["command"]["state"])`,
}

/** Only if the built-in issuer issues the tokens. */
export const retrySnippets: Snippets = {
  typescript: `const traced = new Portico({
  onRetry: ({ error, waitMs }) => console.log(error.message, waitMs),
})
const metrics = await traced.request('GET', '/metric-types', {
  siteId: site.siteId,
})
console.log(JSON.stringify(metrics))`,

  curl: `new_token() {
  TOKEN=$(curl -s "$PORTICO_AUTH_URL/oauth2/v2.0/token" \\
    -d grant_type=client_credentials \\
    -d "client_id=$PORTICO_CLIENT_ID" -d "client_secret=$PORTICO_CLIENT_SECRET" \\
    -d "scope=api://$PORTICO_CLIENT_ID/.default" |
    sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
}

# On 429 and 503, curl itself waits for Retry-After and replaces the file.
BODY=$(mktemp)
call() {
  STATUS=$(curl -s --retry 5 -o "$BODY" -w '%{http_code}' "$PORTICO_BASE_URL$1" \\
    -H "Authorization: Bearer $TOKEN" -H "SiteId: $PORTICO_SITE_ID")
  case "$STATUS$2" in
    401) new_token && call "$1" again ;;
    *) cat "$BODY"; echo ;;
  esac
}

call "/metric-types"`,

  python: `metrics = portico.request("GET", "/metric-types", site_id=site.site_id)
print(metrics.text)`,
}
