import type { DatabaseSync } from 'node:sqlite'
import { keyWrites } from './keys.ts'
import { partnerWrites } from './partners.ts'
import { siteWrites } from './sites.ts'

/** Everything the writer can do. Each is one function of the connection, run inside the writer's transaction. */
export const WRITES = { ...partnerWrites, ...siteWrites, ...keyWrites }

export type Writes = typeof WRITES

export type WriteName = keyof Writes

export type WriteArguments<N extends WriteName> =
  Parameters<Writes[N]> extends [DatabaseSync, ...infer Rest] ? Rest : never

export type WriteResult<N extends WriteName> = ReturnType<Writes[N]>
