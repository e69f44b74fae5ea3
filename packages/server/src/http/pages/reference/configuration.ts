import type { ApiDocuments } from '../../pipeline/openapi/document.ts'
import { documentPath } from './documents.ts'

/** Configuration of the API reference: a source for each surface, and no access to other hosts. */
export const toConfiguration = (documents: ApiDocuments) => ({
  sources: [...documents].map(([name, { title }]) => ({
    slug: name,
    title,
    url: documentPath(name),
  })),
  authentication: { preferredSecurityScheme: 'accessToken' },
  // A pasted token is discarded with the page.
  persistAuth: false,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // The reference uses a modified document; the page links to the published ones.
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenAllTags: true,
  theme: 'none',
})
