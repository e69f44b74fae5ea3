import type { Addresses } from '../../../config/config.ts'
import { readRepositoryFile } from '../../../kernel/repository-file.ts'

/** The documents that are served, in the order of the navigation. `slug` is their name below `/docs`. */
export const DOCUMENTS = [
  { slug: 'sdk', title: 'SDKs', summary: 'Clients for TypeScript and Python.' },
  { slug: 'tokens', title: 'Access tokens', summary: 'How to get a token, and what can go wrong.' },
  { slug: 'v2', title: 'Version 2', summary: 'Requests, lists, series, schedules, commands, rate limits.' },
  { slug: 'figures', title: 'How values are computed', summary: 'Quality, coverage and comparisons.' },
  { slug: 'events', title: 'Events', summary: 'What happens on a site: list, long polling and stream.' },
  { slug: 'webhooks', title: 'Webhooks', summary: 'Events sent to your backend.' },
  {
    slug: 'migration',
    title: 'Migration guide',
    summary: 'From version 1 to version 2, endpoint by endpoint.',
  },
  { slug: 'v1', title: 'Version 1', summary: 'For programs that were written for it.' },
  { slug: 'operator', title: 'Operator API', summary: 'Readings, gateways, partners, keys, audit log.' },
  {
    slug: 'inventory',
    title: 'Inventory document',
    summary: 'A site with its buildings, spaces and devices.',
  },
  { slug: 'mqtt', title: 'MQTT', summary: 'Topics and payloads of devices and gateways.' },
] as const

export type DocumentSlug = (typeof DOCUMENTS)[number]['slug']

const SLUGS = new Set<string>(DOCUMENTS.map(({ slug }) => slug))

type Place = Addresses & { tenant: string }

/** The Markdown of a document, with the addresses of this installation and links that work on this server. */
export const readDocument = (slug: DocumentSlug, place: Place): string =>
  linkToServer(fillAddresses(readRepositoryFile(`docs/api/${slug}.md`), place), place.publicUrl)

export const readChangelog = ({ publicUrl }: Addresses): string =>
  linkToServer(readRepositoryFile('CHANGELOG.md'), publicUrl)

/** The documents contain placeholders for the addresses of an installation. */
const fillAddresses = (markdown: string, { publicUrl, authUrl, tenant }: Place): string =>
  markdown
    .replaceAll('<public URL>/<tenant>', authUrl)
    .replaceAll('{auth_url}', authUrl)
    .replaceAll('<public URL>', publicUrl)
    .replaceAll('<tenant>', tenant)
    .replaceAll('https://api.example.com/auth', authUrl)
    .replaceAll('https://api.example.com', publicUrl)

/**
 * Links between the documents lead to their pages; of links to other files of the repository, only the text remains.
 */
const linkToServer = (markdown: string, publicUrl: string): string =>
  markdown.replace(/\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g, (_link, text: string, target: string) => {
    const [, slug = '', anchor = ''] = /([\w-]+)\.md(#.*)?$/.exec(target) ?? []
    return SLUGS.has(slug) ? `[${text}](${publicUrl}/docs/${slug}${anchor})` : text
  })
