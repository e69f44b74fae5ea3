import type { Command } from './command.ts'

interface Entry {
  summary: string
  load(): Promise<{ command: Command }>
}

/** Every command, in the order of the help. */
export const CATALOGUE: Record<string, Entry> = {
  serve: { summary: 'run the server', load: () => import('./commands/serve.ts') },
  'inventory apply': {
    summary: 'make a site be as a document says',
    load: () => import('./commands/inventory-apply.ts'),
  },
  'inventory export': {
    summary: 'print a site as one document',
    load: () => import('./commands/inventory-export.ts'),
  },
  'readings import': {
    summary: 'store readings from files or standard input',
    load: () => import('./commands/readings-import.ts'),
  },
  'gateway add': {
    summary: 'add the MQTT account of a gateway',
    load: () => import('./commands/gateway-add.ts'),
  },
  'gateway list': {
    summary: 'list the gateways of a site',
    load: () => import('./commands/gateway-list.ts'),
  },
  'gateway remove': {
    summary: 'remove the MQTT account of a gateway',
    load: () => import('./commands/gateway-remove.ts'),
  },
  'gateway export': {
    summary: 'write the accounts as files for an outside broker',
    load: () => import('./commands/gateway-export.ts'),
  },
  'partner add': {
    summary: 'add a partner, or an operator with --role Operator',
    load: () => import('./commands/partner-add.ts'),
  },
  'partner list': { summary: 'list partners', load: () => import('./commands/partner-list.ts') },
  'partner disable': {
    summary: 'refuse a partner and void its tokens',
    load: () => import('./commands/partner-disable.ts'),
  },
  'partner enable': {
    summary: 'let a disabled partner in again',
    load: () => import('./commands/partner-enable.ts'),
  },
  'secret add': { summary: 'add a secret to a partner', load: () => import('./commands/secret-add.ts') },
  'secret remove': { summary: 'remove a secret', load: () => import('./commands/secret-remove.ts') },
  'keys rotate': { summary: 'sign tokens with a new key', load: () => import('./commands/keys-rotate.ts') },
  'migration report': {
    summary: 'say who still calls version 1, and what replaces it',
    load: () => import('./commands/migration-report.ts'),
  },
  'v1 sunset': {
    summary: 'set or clear when an endpoint of version 1 ends',
    load: () => import('./commands/v1-sunset.ts'),
  },
  migrate: { summary: 'bring the store’s schema up to date', load: () => import('./commands/migrate.ts') },
  doctor: {
    summary: 'look for what is wrong with an installation',
    load: () => import('./commands/doctor.ts'),
  },
  backup: {
    summary: 'copy the store into a file, while it runs',
    load: () => import('./commands/backup.ts'),
  },
  restore: { summary: 'put a backup in the place of the store', load: () => import('./commands/restore.ts') },
  copy: {
    summary: 'copy the whole store into another, and compare them',
    load: () => import('./commands/copy.ts'),
  },
  'dev-cert': {
    summary: 'make a local certificate, to try https',
    load: () => import('./commands/dev-cert.ts'),
  },
  openapi: { summary: 'print an OpenAPI document', load: () => import('./commands/openapi.ts') },
}
