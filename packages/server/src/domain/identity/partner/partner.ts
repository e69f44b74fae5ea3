export const ROLES = [
  'Spaces.Read',
  'Devices.Read',
  'Devices.Control',
  'Events.Read',
  'Webhooks.Manage',
  'V1.Read',
  'Operator',
] as const

export type Role = (typeof ROLES)[number]

export const isRole = (text: string): text is Role => ROLES.some((role) => role === text)

/** The roles for a partner's backend; `Operator` is for those who run the installation. */
export const PARTNER_ROLES = ROLES.filter((role) => role !== 'Operator')

export interface Partner {
  partnerUuid: string
  clientId: string
  name: string
  enabled: boolean
  roles: readonly Role[]
  sites: readonly string[]
  /** Tokens issued before this second are invalid. Set on disabling, so that enabling again does not revive them. */
  tokensNotBefore: number
  createdAt: number
  updatedAt: number
  /** Limits of the partner that override those of the installation. */
  rateLimits: RateLimits
}

export interface RateLimits {
  perMinute?: number
  per5Minutes?: number
}

export interface PartnerChanges {
  name?: string
  enabled?: boolean
  roles?: readonly Role[]
  sites?: readonly string[]
  /** Added to the sites, after which `revokeSites` are removed. Neither of two concurrent changes is lost. */
  grantSites?: readonly string[]
  revokeSites?: readonly string[]
  rateLimits?: RateLimits
}

/** The sites that a change grants; they have to exist. */
export const findGrantedSites = ({ sites = [], grantSites = [] }: PartnerChanges): string[] => [
  ...sites,
  ...grantSites,
]

/** Whether a change removes the operator rights of a partner that has them. */
export const losesOperatorRights = (before: Partner, after: Partner): boolean =>
  isEnabledOperator(before) && !isEnabledOperator(after)

export const isEnabledOperator = ({ enabled, roles }: Partner): boolean =>
  enabled && roles.includes('Operator')

/** Whether a change could remove operator rights, regardless of the partner it applies to. */
export const mayEndOperator = ({ enabled, roles }: PartnerChanges): boolean =>
  enabled === false || (roles !== undefined && !roles.includes('Operator'))

export const toScope = (clientId: string): string => `api://${clientId}/.default`

export const toAudience = (clientId: string): string => `api://${clientId}`
