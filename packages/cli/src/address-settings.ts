import type { Command } from './command.ts'

/** Settings that determine the server’s addresses in the output of a command, and their help. */
export const ADDRESS_SETTINGS = {
  names: ['publicUrl', 'port'],
  help: {
    'public-url':
      'Print addresses that begin with this one. By default, it is that of the server that started last on the store.',
    port: 'Print addresses of a server on this port of localhost. No effect with --public-url.',
  },
} as const satisfies { names: Command['settings']; help: Command['help'] }
