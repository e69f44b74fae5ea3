/** Languages of the snippets, in the order of the tabs. */
export const LANGUAGES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const

export type Language = keyof typeof LANGUAGES

/**
 * One call in each language. Each snippet continues the previous one and reads the credentials from the environment.
 */
export type Snippets = Record<Language, string>

export const getToken: Snippets = {
  curl: `TOKEN=$(curl -s "$AUTH_URL/oauth2/v2.0/token" \\
  -d grant_type=client_credentials \\
  -d "client_id=$CLIENT_ID" \\
  -d "client_secret=$CLIENT_SECRET" \\
  -d "scope=api://$CLIENT_ID/.default" |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,

  typescript: `import { env } from 'node:process'

const { AUTH_URL, BASE_URL } = env
const { CLIENT_ID = '', CLIENT_SECRET = '', SITE_ID = '' } = env

const issued = await fetch(\`\${AUTH_URL}/oauth2/v2.0/token\`, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    scope: \`api://\${CLIENT_ID}/.default\`,
  }),
})
if (!issued.ok) throw new Error(await issued.text())
const { access_token } = (await issued.json()) as { access_token: string }`,

  python: `import json
from os import environ
from urllib.parse import urlencode
from urllib.request import Request, urlopen

form = urlencode({
    "grant_type": "client_credentials",
    "client_id": environ["CLIENT_ID"],
    "client_secret": environ["CLIENT_SECRET"],
    "scope": f"api://{environ['CLIENT_ID']}/.default",
})
token_endpoint = f"{environ['AUTH_URL']}/oauth2/v2.0/token"
with urlopen(token_endpoint, form.encode()) as answer:
    token = json.load(answer)["access_token"]`,
}

/** Replaces the first call if an external issuer issues the tokens. */
export const bringToken: Snippets = {
  curl: `TOKEN=your-access-token`,

  typescript: `import { env } from 'node:process'

const { BASE_URL, SITE_ID = '' } = env
const access_token = 'your-access-token'`,

  python: `import json
from os import environ
from urllib.parse import urlencode
from urllib.request import Request, urlopen

token = "your-access-token"`,
}

export const sitesSnippets: Snippets = {
  curl: `curl -s "$BASE_URL/sites" -H "Authorization: Bearer $TOKEN"`,

  typescript: `async function get<T>(path: string, headers = {}): Promise<T> {
  const answer = await fetch(\`\${BASE_URL}\${path}\`, {
    headers: { Authorization: \`Bearer \${access_token}\`, ...headers },
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}

type Sites = { data: { siteUuid: string; siteName: string }[] }

const sites = await get<Sites>('/sites')
for (const site of sites.data) console.log(site.siteUuid, site.siteName)`,

  python: `def get(path, **headers):
    headers["Authorization"] = f"Bearer {token}"
    request = Request(environ["BASE_URL"] + path, headers=headers)
    with urlopen(request) as answer:
        return json.load(answer)

for site in get("/sites")["data"]:
    print(site["siteUuid"], site["siteName"])`,
}

export const spacesSnippets: Snippets = {
  curl: `curl -s "$BASE_URL/spaces?metricType=electricity" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "SiteId: $SITE_ID"`,

  typescript: `type Spaces = { data: { spaceUuid: string; spaceName: string }[] }

const spaces = await get<Spaces>('/spaces?metricType=electricity', {
  SiteId: SITE_ID,
})
for (const space of spaces.data) console.log(space.spaceUuid, space.spaceName)`,

  python: `site_id = environ["SITE_ID"]
spaces = get("/spaces?metricType=electricity", SiteId=site_id)["data"]
for space in spaces:
    print(space["spaceUuid"], space["spaceName"])`,
}

export const hourlyElectricity: Snippets = {
  curl: `SPACE_UUID=$(curl -s "$BASE_URL/spaces?metricType=electricity&limit=1" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $SITE_ID" |
  sed 's/.*"spaceUuid":"\\([^"]*\\)".*/\\1/')

curl -s "$BASE_URL/spaces/$SPACE_UUID/aggregate/electricity/hourly" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "SiteId: $SITE_ID"`,

  typescript: `type Point = { timestamp: string; value: number | null }
type Hourly = { unit: string; timeSeries: Point[] }

const path = \`/spaces/\${spaces.data[0]?.spaceUuid}/aggregate\`
const hourly = await get<Hourly>(\`\${path}/electricity/hourly\`, {
  SiteId: SITE_ID,
})
for (const { timestamp, value } of hourly.timeSeries) {
  console.log(timestamp, value, hourly.unit)
}`,

  python: `path = f"/spaces/{spaces[0]['spaceUuid']}/aggregate/electricity/hourly"
hourly = get(path, SiteId=site_id)
for point in hourly["timeSeries"]:
    print(point["timestamp"], point["value"], hourly["unit"])`,
}

export const pagesSnippets: Snippets = {
  curl: `CURSOR=
while :; do
  PAGE=$(curl -s "$BASE_URL/devices?limit=100\${CURSOR:+&cursor=$CURSOR}" \\
    -H "Authorization: Bearer $TOKEN" -H "SiteId: $SITE_ID")
  printf '%s' "$PAGE" | grep -o '"deviceName":"[^"]*"'
  CURSOR=$(printf '%s' "$PAGE" |
    sed -n 's/.*"nextCursor":"\\([^"]*\\)".*/\\1/p')
  [ -n "$CURSOR" ] || break
done`,

  typescript: `type Device = { deviceUuid: string; deviceType: string; status: string }
type Devices = { data: Device[]; pagination: { nextCursor: string | null } }

const devices: Device[] = []
for (let cursor: string | null = ''; cursor !== null; ) {
  const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) })
  const page: Devices = await get(\`/devices?\${query}\`, { SiteId: SITE_ID })
  devices.push(...page.data)
  cursor = page.pagination.nextCursor
}
console.log(devices.length, 'devices')`,

  python: `devices, query = [], {"limit": 100}
while True:
    page = get(f"/devices?{urlencode(query)}", SiteId=site_id)
    devices += page["data"]
    if page["pagination"]["nextCursor"] is None:
        break
    query["cursor"] = page["pagination"]["nextCursor"]
print(len(devices), "devices")`,
}

export const controlSnippets: Snippets = {
  curl: `DEVICE_UUID=$(curl -s "$BASE_URL/devices?deviceType=trv&status=online&limit=1" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $SITE_ID" |
  sed 's/.*"deviceUuid":"\\([^"]*\\)".*/\\1/')

COMMAND_UUID=$(curl -s "$BASE_URL/devices/$DEVICE_UUID/schedule" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $SITE_ID" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: quickstart-$(date +%s)" \\
  -d '{"type":"override","target":{"temperature":21},"durationMinutes":30}' |
  sed 's/.*"commandUuid":"\\([^"]*\\)".*/\\1/')

until curl -s "$BASE_URL/devices/$DEVICE_UUID/commands/$COMMAND_UUID" \\
  -H "Authorization: Bearer $TOKEN" -H "SiteId: $SITE_ID" |
  grep -oE '"state":"(CONFIRMED|FAILED|EXPIRED|CANCELLED)"'
do sleep 1; done`,

  typescript: `type Command = { commandUuid: string; state: string }

const valve = devices.find(
  ({ deviceType, status }) => deviceType === 'trv' && status === 'online',
)
const address = \`/devices/\${valve?.deviceUuid}\`
const sent = await fetch(\`\${BASE_URL}\${address}/schedule\`, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${access_token}\`,
    SiteId: SITE_ID,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({
    type: 'override',
    target: { temperature: 21 },
    durationMinutes: 30,
  }),
})
if (!sent.ok) throw new Error(await sent.text())
let command = (await sent.json()) as Command
while (['PENDING', 'SENT', 'DELIVERED'].includes(command.state)) {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  command = await get(\`\${address}/commands/\${command.commandUuid}\`, {
    SiteId: SITE_ID,
  })
}
console.log(command.state)`,

  python: `import time
import uuid

valve = next(
    device for device in devices
    if device["deviceType"] == "trv" and device["status"] == "online"
)
address = f"/devices/{valve['deviceUuid']}"
schedule = {
    "type": "override",
    "target": {"temperature": 21},
    "durationMinutes": 30,
}
request = Request(
    f"{environ['BASE_URL']}{address}/schedule",
    data=json.dumps(schedule).encode(),
    headers={
        "Authorization": f"Bearer {token}",
        "SiteId": site_id,
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    },
)
with urlopen(request) as answer:
    command = json.load(answer)
while command["state"] in ("PENDING", "SENT", "DELIVERED"):
    time.sleep(1)
    command = get(f"{address}/commands/{command['commandUuid']}", SiteId=site_id)
print(command["state"])`,
}

/** Only if the built-in issuer issues the tokens. */
export const retrySnippets: Snippets = {
  curl: `new_token() {
  TOKEN=$(curl -s "$AUTH_URL/oauth2/v2.0/token" \\
    -d grant_type=client_credentials \\
    -d "client_id=$CLIENT_ID" -d "client_secret=$CLIENT_SECRET" \\
    -d "scope=api://$CLIENT_ID/.default" |
    sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
}

# On 429 and 503, curl itself waits for Retry-After.
call() {
  ANSWER=$(curl -s --retry 5 -w '%{http_code}' "$BASE_URL$1" \\
    -H "Authorization: Bearer $TOKEN" -H "SiteId: $SITE_ID")
  case "$ANSWER$2" in
    *401) new_token && call "$1" again ;;
    *) printf '%s\\n' "\${ANSWER%???}" ;;
  esac
}

call "/metric-types"`,

  typescript: `let token = access_token

async function newToken(): Promise<string> {
  const answer = await fetch(\`\${AUTH_URL}/oauth2/v2.0/token\`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      scope: \`api://\${CLIENT_ID}/.default\`,
    }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { access_token: string }).access_token
}

async function call(path: string, attempts = 5): Promise<Response> {
  const answer = await fetch(\`\${BASE_URL}\${path}\`, {
    headers: { Authorization: \`Bearer \${token}\`, SiteId: SITE_ID },
  })
  if (attempts === 1) return answer
  if (answer.status === 429 || answer.status === 503) {
    const seconds = Number(answer.headers.get('Retry-After') ?? 1)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    return call(path, attempts - 1)
  }
  if (answer.status === 401) {
    token = await newToken()
    return call(path, 1)
  }
  return answer
}

console.log(await (await call('/metric-types')).text())`,

  python: `from urllib.error import HTTPError

def new_token():
    with urlopen(token_endpoint, form.encode()) as answer:
        return json.load(answer)["access_token"]

def call(path, attempts=5):
    global token
    try:
        return get(path, SiteId=site_id)
    except HTTPError as error:
        if attempts == 1:
            raise
        if error.code in (429, 503):
            time.sleep(int(error.headers.get("Retry-After", 1)))
            return call(path, attempts - 1)
        if error.code == 401:
            token = new_token()
            return call(path, 1)
        raise

print(json.dumps(call("/metric-types"), separators=(",", ":")))`,
}
