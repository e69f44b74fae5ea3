import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Inventory, InventoryChange, InventoryChanges } from '@portico/sdk/operator'
import { type ApiCall, operator } from '../api.ts'
import { Badge, type Tone } from '../components/badge.tsx'
import { CallForm } from '../components/call-form.tsx'
import { CodeBlock } from '../components/code.tsx'
import { Figures } from '../components/figures.tsx'
import { Field } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { Panel } from '../components/panel.tsx'
import { Empty } from '../components/states.tsx'
import { DataTable } from '../components/table.tsx'
import { formatCount, plural } from '../format.ts'
import { EXAMPLE_INVENTORY, parseInventory } from './inventory-text.ts'
import { toSitePage } from './names.ts'

export function AddSitePage(): JSX.Element {
  const [applied, setApplied] = useState<Inventory>()
  return (
    <Page
      title="Add a site"
      crumbs={[{ href: '/console/operator/sites', name: 'Sites' }]}
      lead="A site is described by one JSON document with its buildings, spaces and devices."
    >
      <div class="notice" role="status">
        {applied && (
          <p class="note good">
            <span>
              The inventory is applied.{' '}
              <a href={toSitePage(applied.site.siteUuid)}>Open {applied.site.siteName}</a>
            </span>
          </p>
        )}
      </div>
      <InventoryUpload onApplied={setApplied} />
      <Panel
        title="The smallest inventory"
        lead={
          <>
            A starting point; <a href="/docs/api/inventory">the documentation</a> describes every field.
          </>
        }
      >
        <CodeBlock code={EXAMPLE_INVENTORY} />
      </Panel>
    </Page>
  )
}

interface InventoryUploadProps {
  /** The site that the document must be about. */
  siteUuid?: string
  onApplied: (inventory: Inventory) => void
}

interface Checked {
  inventory: Inventory
  plan: InventoryChanges
}

/** A document from a file or from the clipboard: first a dry run, then the change. */
export function InventoryUpload({ siteUuid, onApplied }: InventoryUploadProps): JSX.Element {
  const [text, setText] = useState('')
  const [fileName, setFileName] = useState('inventory.json')
  const [checked, setChecked] = useState<Checked>()
  const parsed = parseInventory(text, siteUuid)
  const toCall = (inventory: Inventory, isDryRun: boolean): ApiCall =>
    operator('PUT', '/inventory', {
      ...(isDryRun ? { query: { dryRun: true } } : {}),
      body: inventory,
      bodyFile: fileName,
    })
  const replace = (next: string): void => {
    setText(next)
    setChecked(undefined)
  }
  return (
    <Panel
      title="Upload an inventory"
      lead="The dry run lists what would change; nothing is changed until you apply it."
    >
      <CallForm<InventoryChanges>
        subject="Dry run"
        label="Dry run"
        isQuiet={checked !== undefined}
        call={parsed.inventory && toCall(parsed.inventory, true)}
        onAnswer={(plan) => parsed.inventory && setChecked({ inventory: parsed.inventory, plan })}
      >
        <Field label="File">
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".json,application/json"
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0]
                if (!file) return
                setFileName(file.name.replaceAll(/[^\w.-]/g, '_'))
                void file.text().then(replace)
              }}
            />
          )}
        </Field>
        <Field label="Or paste the document" error={text.trim() === '' ? undefined : parsed.problem}>
          {(control) => (
            <textarea
              {...control}
              class="document"
              rows={8}
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => replace(currentTarget.value)}
            />
          )}
        </Field>
      </CallForm>
      {checked && (
        <Plan
          key={text}
          checked={checked}
          call={toCall(checked.inventory, false)}
          onApplied={() => {
            replace('')
            onApplied(checked.inventory)
          }}
        />
      )}
    </Panel>
  )
}

const TONES: Readonly<Record<string, Tone>> = { created: 'good', updated: 'info', archived: 'bad' }

function Plan(props: { checked: Checked; call: ApiCall; onApplied: () => void }): JSX.Element {
  const { checked, call, onApplied } = props
  const { created, updated, archived, unchanged, changes = [] } = checked.plan
  const [isAccepted, setAccepted] = useState(false)
  if (created + updated + archived === 0)
    return (
      <div role="status">
        <Empty title="Nothing would change">The site already matches the document.</Empty>
      </div>
    )
  return (
    <section class="plan" aria-label="What would change">
      <div role="status">
        <h3>What would change on {checked.inventory.site.siteName}</h3>
        <Figures
          figures={[
            { name: 'Created', value: formatCount(created) },
            { name: 'Changed', value: formatCount(updated) },
            { name: 'Archived', value: formatCount(archived), tone: archived > 0 ? 'bad' : 'neutral' },
            { name: 'Unchanged', value: formatCount(unchanged) },
          ]}
        />
      </div>
      {changes.length > 0 && <Changes changes={changes} />}
      <CallForm<InventoryChanges>
        subject="Apply the inventory"
        label={`Apply ${plural(created + updated + archived, 'change')}`}
        isDanger={archived > 0}
        call={archived === 0 || isAccepted ? call : undefined}
        onAnswer={onApplied}
      >
        {archived > 0 && (
          <label class="acceptance">
            <input
              type="checkbox"
              checked={isAccepted}
              onChange={({ currentTarget }) => setAccepted(currentTarget.checked)}
            />
            <span>
              Archive {plural(archived, 'record')}. They are no longer returned and accept no readings or
              commands; their past readings still count.
            </span>
          </label>
        )}
      </CallForm>
    </section>
  )
}

const ROWS = 200

function Changes({ changes }: { changes: readonly InventoryChange[] }): JSX.Element {
  const [shown, setShown] = useState(ROWS)
  return (
    <DataTable
      caption="Changes"
      rows={changes.slice(0, shown)}
      toKey={({ kind, uuid, what }) => `${kind} ${uuid} ${what}`}
      loadMore={shown < changes.length ? () => setShown(shown + ROWS) : undefined}
      columns={[
        { header: 'Record', cell: ({ name }) => name },
        { header: 'Kind', cell: ({ kind }) => kind },
        { header: 'Change', cell: ({ what }) => <Badge tone={TONES[what] ?? 'neutral'}>{what}</Badge> },
        { header: 'Identifier', cell: ({ uuid }) => <code>{uuid}</code>, isMinor: true },
      ]}
    />
  )
}
