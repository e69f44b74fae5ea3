import type { CatalogueEntry } from './command.ts'

/** Every command, in the order of the help. */
export const CATALOGUE: Record<string, CatalogueEntry> = {
  serve: { summary: 'run the server', load: () => import('./commands/serve.ts') },
  'site list': { summary: 'list sites', load: () => import('./commands/site-list.ts') },
  'inventory apply': {
    summary: 'apply an inventory document to a site',
    load: () => import('./commands/inventory-apply.ts'),
  },
  'inventory export': {
    summary: 'print a site as an inventory document',
    load: () => import('./commands/inventory-export.ts'),
  },
  'device list': {
    summary: 'list the devices of a site, with status and warnings',
    load: () => import('./commands/device-list.ts'),
  },
  'command list': {
    summary: 'list the commands sent to the devices of a site',
    load: () => import('./commands/command-list.ts'),
  },
  'events tail': {
    summary: 'print the events of a site as they happen',
    load: () => import('./commands/events-tail.ts'),
  },
  'readings import': {
    summary: 'import readings from files or standard input',
    load: () => import('./commands/readings-import.ts'),
  },
  'export readings': {
    summary: 'export the readings of a site, one file per month',
    load: async () => ({ command: (await import('./commands/export.ts')).readings }),
  },
  'export windows': {
    summary: 'export the data of the spaces of a site, one file per month',
    load: async () => ({ command: (await import('./commands/export.ts')).windows }),
  },
  'rejected list': {
    summary: 'list rejected MQTT messages',
    load: () => import('./commands/rejected-list.ts'),
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
    summary: 'write the accounts to files for an external broker',
    load: () => import('./commands/gateway-export.ts'),
  },
  'partner add': {
    summary: 'add a partner, or an operator with --role Operator',
    load: () => import('./commands/partner-add.ts'),
  },
  'partner list': { summary: 'list partners', load: () => import('./commands/partner-list.ts') },
  'partner show': {
    summary: 'show a partner, its sites and its secrets',
    load: () => import('./commands/partner-show.ts'),
  },
  'partner grant': {
    summary: 'grant sites to a partner',
    load: async () => ({ command: (await import('./commands/partner-grant-revoke.ts')).grant }),
  },
  'partner revoke': {
    summary: 'revoke sites from a partner',
    load: async () => ({ command: (await import('./commands/partner-grant-revoke.ts')).revoke }),
  },
  'partner disable': {
    summary: 'disable a partner and revoke its tokens',
    load: async () => ({ command: (await import('./commands/partner-enable-disable.ts')).disable }),
  },
  'partner enable': {
    summary: 'enable a disabled partner again',
    load: async () => ({ command: (await import('./commands/partner-enable-disable.ts')).enable }),
  },
  'secret list': {
    summary: 'list the secrets of a partner',
    load: () => import('./commands/secret-list.ts'),
  },
  'secret add': { summary: 'add a secret to a partner', load: () => import('./commands/secret-add.ts') },
  'secret remove': { summary: 'remove a secret', load: () => import('./commands/secret-remove.ts') },
  'keys list': { summary: 'list the signing keys', load: () => import('./commands/keys-list.ts') },
  'keys rotate': { summary: 'sign tokens with a new key', load: () => import('./commands/keys-rotate.ts') },
  'webhook list': {
    summary: 'list the webhooks of all partners',
    load: () => import('./commands/webhook-list.ts'),
  },
  'webhook disable': {
    summary: 'disable a webhook; its events wait in the log',
    load: async () => ({ command: (await import('./commands/webhook-enable-disable.ts')).disable }),
  },
  'webhook enable': {
    summary: 'enable a webhook again; it continues where it stopped',
    load: async () => ({ command: (await import('./commands/webhook-enable-disable.ts')).enable }),
  },
  'console link': {
    summary: 'print a one-time link to the web console',
    load: () => import('./commands/console-link.ts'),
  },
  'console sessions': {
    summary: 'list the browsers that are signed in to the web console',
    load: async () => ({ command: (await import('./commands/console-sessions.ts')).list }),
  },
  'console end': {
    summary: 'end a session of the web console',
    load: async () => ({ command: (await import('./commands/console-sessions.ts')).end }),
  },
  'audit list': { summary: 'list the audit log', load: () => import('./commands/audit-list.ts') },
  'migration report': {
    summary: 'list the partners that still call version 1',
    load: () => import('./commands/migration-report.ts'),
  },
  'v1 sunset': {
    summary: 'set or clear the end date of a version 1 endpoint',
    load: () => import('./commands/v1-sunset.ts'),
  },
  'config show': {
    summary: 'show the effective settings and their sources',
    load: () => import('./commands/config-show.ts'),
  },
  migrate: { summary: 'migrate the store’s schema', load: () => import('./commands/migrate.ts') },
  doctor: {
    summary: 'check an installation for problems',
    load: () => import('./commands/doctor.ts'),
  },
  backup: {
    summary: 'back up the store to a file, while the server runs',
    load: () => import('./commands/backup.ts'),
  },
  restore: {
    summary: 'replace the store with a backup, while no server uses it',
    load: () => import('./commands/restore.ts'),
  },
  copy: {
    summary: 'copy a store that no server uses, and verify the copy',
    load: () => import('./commands/copy.ts'),
  },
  'dev-cert': {
    summary: 'create a certificate for https on this machine',
    load: () => import('./commands/dev-cert.ts'),
  },
  completion: {
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => ({
      command: (await import('./commands/completion.ts')).createCompletion(CATALOGUE),
    }),
  },
  openapi: { summary: 'print an OpenAPI document', load: () => import('./commands/openapi.ts') },
}
