import type { ApiDocuments } from '../../pipeline/openapi/document.ts'
import { documentPath } from './documents.ts'

/** What the console starts with: a source for each surface, and everything that would reach another host off. */
export const toConfiguration = (documents: ApiDocuments) => ({
  sources: [...documents].map(([name, { title }]) => ({
    slug: name,
    title,
    url: documentPath(name),
  })),
  authentication: { preferredSecurityScheme: 'accessToken' },
  // A pasted token lives as long as the page and is kept nowhere.
  persistAuth: false,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // The console's variant is for the console; the page links to the published documents.
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenAllTags: true,
  theme: 'none',
})
