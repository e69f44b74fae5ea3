import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MIGRATIONS = join(import.meta.dirname, '../../src/store/postgres/migrations')

const SCHEMA = globSync('*.sql', { cwd: MIGRATIONS })
  .toSorted()
  .map((file) => readFileSync(join(MIGRATIONS, file), 'utf8'))
  .join('\n')

/** The present names of tables that a migration has renamed. */
const RENAMED = new Map(
  [...SCHEMA.matchAll(/^ALTER TABLE (\w+) RENAME TO (\w+);/gm)].map(([, from = '', to = '']) => [from, to]),
)

const toPresentName = (table: string): string => RENAMED.get(table) ?? table

/** The tables that Citus distributes, with their distribution columns, as declared in the migrations. */
const DISTRIBUTED = new Map(
  [...SCHEMA.matchAll(/create_distributed_table\('(\w+)', '(\w+)'/g)].map(
    ([, table = '', column = '']): [string, string] => [toPresentName(table), column],
  ),
)

/** The reference tables, which every node has. */
const EVERYWHERE = new Set(
  [...SCHEMA.matchAll(/create_reference_table\('(\w+)'/g)].map(([, table = '']) => toPresentName(table)),
)

/** Marks a statement that queries every node on purpose. */
export const EVERY_SITE = '/* every site */'

/**
 * Marks a statement that may fail with any code: Citus copies the selected rows, and loses the reason why a copy
 * failed.
 */
const BY_COPY = '/* by copy */'

const VOLATILE =
  /\b(now|clock_timestamp|statement_timestamp|random|gen_random_uuid|nextval)\s*\(|\bcurrent_timestamp\b/i

/**
 * Why Citus would reject the statement or route it to every node, if it would: each reference to a distributed table
 * must be restricted to one site at its own query level.
 */
export function findBrokenRule(statement: string): string | undefined {
  const text = statement.replaceAll('"', '').replace(/\s+/g, ' ').trim()
  const verb = /^(select|insert|update|delete|with|copy|merge)\b/i.exec(text)?.[1]?.toLowerCase()
  if (verb === undefined) return undefined
  if (verb === 'merge') return 'MERGE is not available'
  const isChange = verb === 'update' || verb === 'delete' || /\bon conflict\b/i.test(text)
  if (isChange && VOLATILE.test(text)) return 'a volatile function in a change'
  if (/^insert into [^(]+\([^)]*\) select\b/i.test(text) && !text.includes(BY_COPY))
    return 'rows that are selected lose the SQLSTATE'
  if (text.includes(EVERY_SITE)) return verb === 'select' ? undefined : 'a change of every site'
  return splitLevels(text)
    .map(brokenLevel)
    .find((broken) => broken !== undefined)
}

/** The text of each parenthesised query level, without the levels nested in it. */
function splitLevels(text: string): string[] {
  const done: string[] = []
  const open: string[] = ['']
  for (const character of text) {
    if (character === '(') open.push('')
    else if (character === ')') done.push(open.pop() ?? '')
    else open.push((open.pop() ?? '') + character)
  }
  return [...done, ...open].filter((level) => /\b(from|update|into|join)\b/i.test(level))
}

const REFERENCE =
  /\b(?:from|join|update|into)\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?(?!set\b|where\b|on\b|using\b|order\b|left\b|join\b|values\b|select\b|for\b|group\b|limit\b)(\w+))?/gi

function brokenLevel(level: string): string | undefined {
  const named = [...level.matchAll(REFERENCE)]
  // Citus takes two locks for it, and two concurrent transactions can deadlock on them.
  if (/\bfor (?:key )?share\b/i.test(level) && named.some(([, table = '']) => EVERYWHERE.has(table)))
    return 'a share lock on a table that every node has'
  const references = named.filter(([, table = '']) => DISTRIBUTED.has(table))
  for (const [whole, table = '', alias] of references) {
    // An inserted row has its site as a value, and a COPY is routed by its rows.
    if (/^into\b/i.test(whole)) continue
    const name = alias ?? table
    const tied = `${DISTRIBUTED.get(table)} = \\$`
    const tie = references.length === 1 ? `\\b(?:${name}\\.)?${tied}` : `\\b${name}\\.${tied}`
    if (!new RegExp(tie).test(level)) return `${name} is not tied to a site`
  }
  return undefined
}
