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
