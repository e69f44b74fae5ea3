import { readFileSync } from 'node:fs'
import { parseInventory } from '@portico/server/http/operator/inventory/document'
import { AppError } from '@portico/server/kernel/errors'
import { OperatorError } from '@portico/server/operator/operator'
import type { Inventory, InventoryChanges } from '@portico/wire/operator/inventory'
import { type Command, type CommandContext, positional, UsageError } from '../command.ts'
import { INTERRUPTED_BY_CTRL_C } from '../interruption.ts'
import { requireReadableFile } from '../import/readable-file.ts'
import { formatCount } from '../output.ts'

export const command: Command = {
  parameters: 'FILE',
  positionals: { min: 1, max: 1 },
  options: { 'dry-run': { type: 'boolean' }, yes: { type: 'boolean' } },
  help: {
    'dry-run': 'Print what would change, and change nothing.',
    yes: 'Archive records that the document no longer contains, without asking.',
  },
  async run(call) {
    const document = readDocument(positional(call, 0))
    const isDryRun = call.values['dry-run'] === true
    await using operator = await call.connect({ create: !isDryRun })
    if (isDryRun) {
      const plan = await operator.planInventory(document)
      call.out.result(plan, [
        ...listArchived(plan),
        ...listChanged(plan, 'created'),
        ...listChanged(plan, 'updated'),
        summarise(document, plan).replace(/\.$/, '; nothing was changed, because of --dry-run.'),
      ])
      return 0
    }
    if (call.values['yes'] !== true && !(await confirm(call, await operator.planInventory(document)))) {
      call.out.note('interrupted; nothing was changed')
      return INTERRUPTED_BY_CTRL_C
    }
    const changes = await operator.applyInventory(document)
    call.out.result(changes, summarise(document, changes))
    return 0
  },
}

const summarise = ({ site }: Inventory, changes: InventoryChanges): string =>
  `${site.siteName}: ${changes.created} created, ${changes.updated} updated, ` +
  `${changes.archived} archived, ${changes.unchanged} unchanged.`

const MAX_SHOWN = 20

function listArchived({ archived, archivedRecords = [] }: InventoryChanges): string[] {
  if (archived === 0) return []
  const shown = archivedRecords.slice(0, MAX_SHOWN)
  const others = archived - shown.length
  return [
    `The document no longer contains ${formatCount(archived, 'record')}:`,
    ...shown.map(({ kind, uuid, name }) => `  ${kind} ${name} (${uuid})`),
    ...(others > 0 ? [`  and ${formatCount(others, 'other')}`] : []),
  ]
}

/** The records that a document creates or updates, as far as the plan names them. */
function listChanged(plan: InventoryChanges, what: 'created' | 'updated'): string[] {
  const shown = (plan.changes ?? []).filter((change) => change.what === what).slice(0, MAX_SHOWN)
  if (shown.length === 0) return []
  const others = plan[what] - shown.length
  return [
    `${formatCount(plan[what], 'record')} would be ${what}:`,
    ...shown.map(({ kind, uuid, name }) => `  ${kind} ${name} (${uuid})`),
    ...(others > 0 ? [`  and ${formatCount(others, 'other')}`] : []),
  ]
}

/** A document that lost records by mistake must not archive them unnoticed. Returns false after Ctrl-C. */
async function confirm({ out }: CommandContext, plan: InventoryChanges): Promise<boolean> {
  if (plan.archived === 0) return true
  if (out.isJson || !process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError(
      `this would archive ${formatCount(plan.archived, 'record')}; list ${plan.archived === 1 ? 'it' : 'them'} with --dry-run, or confirm with --yes`,
    )
  for (const line of listArchived(plan)) out.note(line)
  const { confirm: ask, isCancel } = await import('@clack/prompts')
  const answer = await ask({
    message: `Archive ${formatCount(plan.archived, 'record')}?`,
    initialValue: false,
  })
  if (isCancel(answer)) return false
  if (!answer) throw new OperatorError('nothing was changed')
  return true
}

function readDocument(file: string): Inventory {
  const text = read(file)
  try {
    return parseInventory(text)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'bad-request')) throw error
    const name = file === '-' ? 'Standard input' : file
    // The parser quotes the document, with its line breaks.
    const reason = error.cause instanceof Error ? `: ${error.cause.message.replaceAll(/\s+/g, ' ')}` : ''
    throw new OperatorError(`${name} is not valid JSON${reason}`)
  }
}

/** Reads a file, or standard input for `-`. */
function read(file: string): string {
  if (file !== '-') requireReadableFile(file)
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch {
    throw new OperatorError(`${file} cannot be read`)
  }
}
