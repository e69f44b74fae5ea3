import { spawnSync } from 'node:child_process'
import { clientId, clientSecret, scope, tokenUrl, ways } from './settings.ts'

const credentials = ways.includes('basic')
  ? ['--user', `${clientId}:${clientSecret}`]
  : ['--data-urlencode', `client_id=${clientId}`, '--data-urlencode', `client_secret=${clientSecret}`]
const { status, stdout } = spawnSync(
  'curl',
  [
    '--silent',
    '--show-error',
    '--fail-with-body',
    tokenUrl,
    '--data-urlencode',
    'grant_type=client_credentials',
    '--data-urlencode',
    `scope=${scope}`,
    ...credentials,
  ],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
)
if (status !== 0) {
  console.error(stdout)
  process.exit(1)
}
const answer: unknown = JSON.parse(stdout)
if (typeof answer === 'object' && answer !== null && 'access_token' in answer)
  console.log(answer.access_token)
