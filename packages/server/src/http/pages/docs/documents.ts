import type { Addresses } from '../../../config/config.ts'
import { readRepositoryFile } from '../../../kernel/repository-file.ts'
import { toShellWord } from '../../../kernel/shell.ts'
import type { Services } from '../../services.ts'

/** The documents that are served, in the order in which a reader needs them. `slug` is their name below `/docs`. */
export const DOCUMENT_GROUPS = [
  {
    group: 'For partners',
    documents: [
      { slug: 'tokens', title: 'Access tokens', summary: 'How to get a token, and what can go wrong.' },
      { slug: 'sdk', title: 'SDKs', summary: 'Clients for TypeScript and Python.' },
      {
        slug: 'v2',
        title: 'Version 2',
        summary: 'Requests, lists, series, batch reads, exports, schedules, commands, rate limits.',
      },
      { slug: 'figures', title: 'How values are computed', summary: 'Quality, coverage and comparisons.' },
      { slug: 'events', title: 'Events', summary: 'What happens on a site: list, long polling and stream.' },
      { slug: 'webhooks', title: 'Webhooks', summary: 'Events sent to your backend.' },
      {
        slug: 'versioning',
        title: 'Versions and deprecation',
        summary: 'What a release may change, and how endpoints are retired.',
      },
    ],
  },
  {
    group: 'For operators',
    documents: [
      {
        slug: 'first-site',
        title: 'Your own site',
        summary: 'From an inventory to a device that follows a schedule, step by step.',
      },
      {
        slug: 'inventory',
        title: 'Inventory document',
        summary: 'A site with its buildings, spaces and devices.',
      },
      { slug: 'mqtt', title: 'MQTT', summary: 'Topics and payloads of devices and gateways.' },
      { slug: 'operator', title: 'Operator API', summary: 'Readings, gateways, partners, keys, audit log.' },
    ],
  },
  {
    group: 'Version 1',
    documents: [
      {
        slug: 'migration',
        title: 'Migration guide',
        summary: 'From version 1 to version 2, endpoint by endpoint.',
      },
      { slug: 'v1', title: 'Version 1', summary: 'For existing integrations.' },
    ],
  },
] as const

export const DOCUMENTS = DOCUMENT_GROUPS.flatMap(({ documents }): readonly Document[] => documents)

export type Document = (typeof DOCUMENT_GROUPS)[number]['documents'][number]

export type DocumentSlug = Document['slug']

const SLUGS = new Set<string>(DOCUMENTS.map(({ slug }) => slug))

/** What the documents name and differs between installations. There is a `demoFile` only on a demo. */
type Place = Addresses & Pick<Services, 'demoFile' | 'mqttUrl' | 'tenant'>

/** The Markdown of a document, with the addresses of this installation and links that work on this server. */
export const readDocument = (slug: DocumentSlug, place: Place): string =>
  linkToServer(
    fillAddresses(fillDemo(withoutComments(readRepositoryFile(`docs/api/${slug}.md`)), place), place),
    place.publicUrl,
  )

export const readChangelog = ({ publicUrl }: Addresses): string =>
  linkToServer(readRepositoryFile('CHANGELOG.md'), publicUrl)

const DEMO_FILE = 'data/demo.env'
const DEMO_DEVICE = 'DEVICE_UUID=50d7c2b1-07e0-5c5e-81a3-87ac37a47dda  # a device of the demo'

/** Paragraphs and code blocks that name the file of the demo are omitted where there is none. */
function fillDemo(markdown: string, { demoFile }: Place): string {
  if (demoFile !== undefined) return markdown.replaceAll(DEMO_FILE, toShellWord(demoFile))
  const blocks = markdown.split('\n\n').filter((block) => !block.includes(DEMO_FILE))
  return blocks.join('\n\n').replaceAll(DEMO_DEVICE, 'DEVICE_UUID=  # the UUID of one of your devices')
}

/** A comment names the source of a generated document. */
const withoutComments = (markdown: string): string => markdown.replaceAll(/<!--.*?-->\n+/gs, '')

/** The documents contain placeholders for the addresses of an installation. */
const fillAddresses = (markdown: string, { publicUrl, authUrl, mqttUrl, tenant }: Place): string =>
  fillMqtt(markdown, mqttUrl)
    .replaceAll('<public URL>/<tenant>', authUrl)
    .replaceAll('{auth_url}', authUrl)
    .replaceAll('<public URL>', publicUrl)
    .replaceAll('<tenant>', tenant)
    .replaceAll('https://api.example.com/auth', authUrl)
    .replaceAll('https://api.example.com', publicUrl)

/** The options of the Mosquitto clients in the documents: those of the default listener, and of one with TLS. */
const PLAIN_OPTIONS = '-h localhost -p 1883'
const TLS_OPTIONS = '-h portico.example.com -p 8883'

/** The Mosquitto clients do not support WebSockets, so the commands stay as they are if only those are offered. */
function fillMqtt(markdown: string, mqttUrl: string): string {
  const filled = markdown.replaceAll('<MQTT URL>', mqttUrl)
  const { protocol, hostname, port } = new URL(mqttUrl)
  const host = `-h ${hostname.replace(/^\[|\]$/g, '')}`
  if (protocol === 'mqtt:') return filled.replaceAll(PLAIN_OPTIONS, `${host} -p ${port || 1883}`)
  if (protocol !== 'mqtts:') return filled
  const options = `${host} -p ${port || 8883}`
  return filled.replaceAll(PLAIN_OPTIONS, `${options} --tls-use-os-certs`).replaceAll(TLS_OPTIONS, options)
}

/** Code that is the path of a page of the server, and not the text of a link. */
const PAGE_PATH = /(?<!\[)`(\/(?:reference|errors|deprecations|changelog|llms\.txt|openapi\/\w+\.json))`/g

/**
 * Links between the documents lead to their pages, and so do paths of other pages; of links to other files of the
 * repository, only the text remains.
 */
const linkToServer = (markdown: string, publicUrl: string): string =>
  linkDocuments(markdown, publicUrl).replace(
    PAGE_PATH,
    (code, path: string) => `[${code}](${publicUrl}${path})`,
  )

const linkDocuments = (markdown: string, publicUrl: string): string =>
  markdown.replace(/\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g, (_link, text: string, target: string) => {
    const [, name = '', anchor = ''] = /([\w-]+)\.md(#.*)?$/.exec(target) ?? []
    if (name === 'CHANGELOG') return `[${text}](${publicUrl}/changelog${anchor})`
    return SLUGS.has(name) ? `[${text}](${publicUrl}/docs/${name}${anchor})` : text
  })
