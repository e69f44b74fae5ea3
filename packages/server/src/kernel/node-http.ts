import type * as Http from 'node:http'

/**
 * Node's HTTP module. An `import` of `node:http` evaluates all its exports, some of which load Node's implementation of
 * `fetch`: in Node 26.10, 70 ms of processor time at every start.
 */
export const { Agent, createServer, IncomingMessage, request, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http')

export type Agent = Http.Agent
export type IncomingMessage = Http.IncomingMessage
export type ServerResponse = Http.ServerResponse
