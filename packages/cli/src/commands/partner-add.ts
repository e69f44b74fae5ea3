import { COMMAND_LINE, openOperator, toWireAddedPartner } from '@portico/server/operator/operator'
import { isRole, PARTNER_ROLES, ROLES, type Role } from '@portico/server/domain/identity/partner/partner'
import { type CommandContext, type Command, stringValue, stringValues, UsageError } from '../command.ts'
import { fields } from '../output.ts'
import { readDays, readUuid } from '../values.ts'

export const command: Command = {
  options: {
    name: { type: 'string' },
    site: { type: 'string', multiple: true },
    role: { type: 'string', multiple: true },
    'client-id': { type: 'string' },
    'expires-in-days': { type: 'string' },
  },
  help: {
    name: 'Who it is. Asked for when absent and there is somebody to ask.',
    site: 'A site it may see, by UUID; repeat for more.',
    role: `One of ${ROLES.join(', ')}; repeat for more. Without it: every role but Operator.`,
    'client-id': 'The id an outside issuer gave it; made up otherwise.',
    'expires-in-days': 'Days until its secret expires (365).',
  },
  settings: ['publicUrl', 'tenant', 'port'],
  async run(call) {
    const { values, config, out } = call
    const clientId = stringValue(values, 'client-id')
    const expiresInDays = readDays(stringValue(values, 'expires-in-days'))
    const input = {
      name: await readName(call),
      sites: stringValues(values, 'site').map((site) => readUuid(site, '--site')),
      roles: readRoles(stringValues(values, 'role')),
      ...(clientId === undefined ? {} : { clientId: readUuid(clientId, '--client-id') }),
      ...(expiresInDays === undefined ? {} : { expiresInDays }),
    }
    await using operator = await openOperator(config, { create: true })
    const added = toWireAddedPartner(await operator.partners.add(input, COMMAND_LINE), operator.addresses)
    out.result(added, [
      ...fields([
        ['partner', `${added.name} (${added.partnerUuid})`],
        ['roles', added.roles.join(', ')],
        ['sites', added.sites.join(', ') || 'none'],
        ['AUTH_URL', added.authUrl],
        ['BASE_URL', added.baseUrl],
        ...(added.roles.includes('V1.Read') ? [['BASE_URL_V1', added.baseUrlV1] as [string, string]] : []),
        ['CLIENT_ID', added.clientId],
        ['CLIENT_SECRET', added.clientSecret],
        ['SCOPE', added.scope],
      ]),
      '',
      `The secret is shown this once. It expires on ${added.secret.expiresAt.slice(0, 10)}.`,
    ])
    return 0
  },
}

const readRoles = (given: string[]): Role[] => {
  const unknown = given.find((role) => !isRole(role))
  if (unknown !== undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}, not ${unknown}`)
  return given.length === 0 ? [...PARTNER_ROLES] : given.filter(isRole)
}

async function readName({ values, out }: CommandContext): Promise<string> {
  const given = stringValue(values, 'name')?.trim()
  if (given) return given
  if (out.isJson || !process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError('--name is required')
  const { isCancel, text } = await import('@clack/prompts')
  const answer = await text({
    message: 'Who is the partner?',
    placeholder: 'Example Energy Ltd',
    validate: (name) => (name?.trim() ? undefined : 'A name is needed.'),
  })
  if (isCancel(answer)) throw new UsageError('nothing was added')
  return answer.trim()
}
