import { LegacyId } from '@portico/wire/v1/parts'

interface Parameter {
  in?: string
  schema?: unknown
}

type Document = { paths?: Record<string, Record<string, { parameters?: Parameter[] }> | undefined> }

/** A path holds text, so its schema validates text; for who reads the document an identifier is an integer. */
export function describeIds<T extends object>(document: T): T {
  for (const item of Object.values((document as Document).paths ?? {}))
    for (const { parameters = [] } of Object.values(item ?? {}))
      for (const parameter of parameters) if (parameter.in === 'path') parameter.schema = LegacyId
  return document
}
