import { TOPIC_ROOT } from '@portico/wire/mqtt/topics'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder } from '@portico/server/kernel/private-folder'
import { parseBrokerAddress } from '@portico/server/mqtt/brokers/address'
import { mosquittoFiles, openOperator } from '@portico/server/operator/operator'
import { type Command, positional, stringValue, UsageError } from '../command.ts'
import { formatCount } from '../output.ts'

export const command: Command = {
  localOnly: 'it reads password hashes, which no API returns; run it on the machine of the server',
  opensStore: true,
  parameters: 'mosquitto',
  positionals: { min: 1, max: 1 },
  options: { out: { type: 'string' } },
  help: { out: 'Folder for the files passwords and acl; created if missing. (.)' },
  settings: ['mqttUrl'],
  async run(call) {
    const kind = positional(call, 0)
    if (kind !== 'mosquitto') throw new UsageError(`the only supported broker is mosquitto, not ${kind}`)
    const folder = stringValue(call.values, 'out') ?? '.'
    await using operator = await openOperator(call.config, { create: false })
    const gateways = await operator.store.gateways.accounts()
    const server = serverAccount(call.config.mqttUrl)
    const { passwords, acl, missing } = mosquittoFiles(gateways, server)
    createFolder(folder, 0o700)
    const files = [writePrivate(join(folder, 'passwords'), passwords), writePrivate(join(folder, 'acl'), acl)]
    const notes = [
      ...missing.map(
        ({ name, gatewayUuid }) =>
          `${name} (${gatewayUuid}) was skipped: it was added by an older release; remove it and add it again.`,
      ),
      ...(server ? [] : [NO_SERVER]),
    ]
    const count = gateways.length - missing.length
    call.out.result(
      {
        files,
        gateways: count,
        missing: missing.map(({ gatewayUuid }) => gatewayUuid),
        server: server?.username ?? null,
      },
      [
        `${files.join(' and ')}: ${formatCount(count, 'gateway')}${server ? ' and the server' : ''}.`,
        ...notes,
      ],
    )
    return 0
  },
}

const NO_SERVER = `The server's own account is not in the files: MQTT_URL names no user and password. Add one with
  mosquitto_passwd passwords portico
and to acl the lines
  user portico
  topic readwrite ${TOPIC_ROOT}/#`

function serverAccount(mqttUrl: string | undefined): { username: string; password: string } | undefined {
  if (mqttUrl === undefined) return undefined
  const { username, password } = parseBrokerAddress(mqttUrl)
  return username === undefined || password === undefined ? undefined : { username, password }
}

/** Writes a file that only its owner can read, even if it existed with other permissions. */
function writePrivate(file: string, text: string): string {
  writeFileSync(file, text, { mode: 0o600 })
  chmodSync(file, 0o600)
  return file
}
