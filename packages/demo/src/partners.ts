import { SERVER } from '@portico/server/domain/identity/audit'
import type { Services } from '@portico/server/http/services'
import type { NewPartner, PartnerWithSecrets } from '@portico/server/domain/identity/partner/service'
import { findSecret, isLive, MAX_LIVE_SECRETS } from '@portico/server/domain/identity/partner/secret'

export interface Credentials {
  clientId: string
  clientSecret: string
}

/**
 * Returns the demo's partner of this name with valid credentials: the known ones if they are valid, otherwise new
 * ones. If other instances may exist, the new secret is added beside theirs, which are in other folders and cannot be
 * read here; otherwise the old secrets are lost or leaked, and are removed.
 */
export async function ensurePartner(
  services: Services,
  wanted: NewPartner,
  stored: { clientId: string | undefined; clientSecret: string | undefined },
  { mayHaveOthers }: { mayHaveOthers: boolean },
): Promise<Credentials> {
  const { partners, clock } = services
  const all = await partners.list({ after: undefined, limit: 1000 })
  const found = all.find(({ name }) => name === wanted.name)
  if (!found) {
    const { partner, secret } = await partners.add(wanted, SERVER)
    return { clientId: partner.clientId, clientSecret: secret.clientSecret }
  }
  const { partnerUuid, clientId } = found
  if (stored.clientId === clientId && stored.clientSecret !== undefined) {
    const { clientSecret } = stored
    const secret = findSecret((await services.directory.find(clientId))?.secrets ?? [], clientSecret)
    if (secret && isLive(secret, clock.now())) return { clientId, clientSecret }
  }
  const { secrets } = await partners.get(partnerUuid)
  const old = mayHaveOthers ? oldest(secrets, clock.now()) : secrets
  for (const { secretId } of old) await partners.removeSecret(partnerUuid, secretId, SERVER)
  const { clientSecret } = await partners.addSecret(partnerUuid, undefined, SERVER)
  return { clientId, clientSecret }
}

/** The secrets to remove so that another one can be added. */
function oldest(secrets: PartnerWithSecrets['secrets'], now: number): PartnerWithSecrets['secrets'] {
  const live = secrets.filter((secret) => isLive(secret, now)).toSorted((a, b) => a.createdAt - b.createdAt)
  return live.slice(0, Math.max(0, live.length - MAX_LIVE_SECRETS + 1))
}
