import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { notFound } from '../../../kernel/errors.ts'
import type { SiteModel } from '../../../domain/estate/inventory/site-model.ts'
import type { Services } from '../../services.ts'

export const SiteParams = Type.Object({
  siteUuid: about(Uuid, 'The siteUuid of a site.', EXAMPLE.siteUuid),
})

/** The site in the path of a request. */
export async function requireSiteInPath(
  { params }: { readonly params: { siteUuid: string } },
  { siteDirectory }: Pick<Services, 'siteDirectory'>,
): Promise<SiteModel> {
  const model = await siteDirectory.find(params.siteUuid.toLowerCase())
  if (!model) throw notFound('site')
  return model
}
