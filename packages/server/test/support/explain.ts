import type postgres from 'postgres'
import { EVERY_SITE } from './statement-rule.ts'

/** The distinct statements that stores sent, with the parameters of their first use. */
export interface Reads {
  add(text: string, parameters: readonly unknown[]): void
  /** Statements that Citus would route to more than one node. */
  scattered(sql: postgres.Sql): Promise<string[]>
}

export function recordReads(): Reads {
  const reads = new Map<string, readonly unknown[]>()
  return {
    add(text, parameters) {
      if (/^\s*(select|with)\b/i.test(text) && !text.includes(EVERY_SITE) && !reads.has(text))
        reads.set(text, [...parameters])
    },
    async scattered(sql) {
      const found: string[] = []
      for (const [text, parameters] of reads) {
        const lines = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, parameters as never[])
        if (lines.some((line) => isScattered(line['QUERY PLAN']))) found.push(text)
      }
      return found
    },
  }
}

/** A plan without a task count runs on the coordinator alone, on tables that every node has. */
export const isScattered = (line: string): boolean => {
  const [, count] = /Task Count: (\d+)/.exec(line) ?? []
  return count !== undefined && count !== '1'
}
