import { type Config, toAddresses } from '../config/config.ts'
import { describeApis } from './descriptions.ts'
import { buildDocument } from './pipeline/openapi/document.ts'

/** The OpenAPI document of every surface, by name, without a server or a store. */
export function buildApiDocuments(config: Config): Map<string, object> {
  const documents = describeApis({ addresses: toAddresses(config, config.port) })
  return new Map([...documents.keys()].map((name) => [name, buildDocument(documents, name)]))
}
