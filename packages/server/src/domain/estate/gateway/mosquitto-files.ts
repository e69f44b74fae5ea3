import { type StoredGateway, mosquittoHash } from './gateway.ts'

export interface ServerAccount {
  username: string
  password: string
}

export interface MosquittoFiles {
  passwords: string
  acl: string
  /** Gateways created before the hash was stored; they need a new account. */
  missing: StoredGateway[]
}

/** Password and ACL files of Mosquitto 2 for every gateway, and for the server if its account is given. */
export function mosquittoFiles(
  gateways: readonly StoredGateway[],
  server: ServerAccount | undefined,
): MosquittoFiles {
  const usable = gateways.filter(({ mosquittoHash: hash }) => hash !== null)
  const passwords = usable.map((gateway) => `${gateway.mqttUsername}:${gateway.mosquittoHash}`)
  const acls = usable.map(toAcl)
  if (server) {
    passwords.push(`${server.username}:${mosquittoHash(server.password)}`)
    acls.push(`user ${server.username}\ntopic readwrite portico/v1/#\n`)
  }
  return {
    passwords: passwords.map((line) => `${line}\n`).join(''),
    acl: acls.join('\n'),
    missing: gateways.filter(({ mosquittoHash: hash }) => hash === null),
  }
}

/** A gateway reads all topics of its site and writes those of devices; only the server publishes commands. */
const toAcl = ({ mqttUsername, siteUuid, name }: StoredGateway): string => `# ${name}
user ${mqttUsername}
topic read portico/v1/${siteUuid}/#
topic write portico/v1/${siteUuid}/+/readings
topic write portico/v1/${siteUuid}/+/presence
topic write portico/v1/${siteUuid}/+/commands/+/status
`
