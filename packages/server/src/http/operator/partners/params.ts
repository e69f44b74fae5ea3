import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'

export const PartnerParams = Type.Object({ partnerUuid: Uuid }, { additionalProperties: false })
