import type { JSX } from 'preact'
import { type ApiCall, send } from '../api.ts'
import { useAction } from '../resource.ts'

const FREE_AFTER_MS = 60_000

/** Hands a text to the browser as a file. */
function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), FREE_AFTER_MS)
}

/** A file name without characters that a file system may refuse. */
export const toFileName = (...parts: string[]): string =>
  `${parts
    .map((part) =>
      part
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
        .replaceAll(/^-|-$/g, ''),
    )
    .filter((part) => part !== '')
    .join('-')}.csv`

/** Downloads the answer of a call as CSV. */
export function DownloadCsv({
  call,
  fileName,
  subject,
}: {
  call: ApiCall
  fileName: string
  subject: string
}): JSX.Element {
  const action = useAction(async () =>
    save((await send<string>({ ...call, accept: 'text/csv' })).data, fileName),
  )
  return (
    <button
      type="button"
      class="button small ghost"
      disabled={action.isRunning}
      aria-label={`Download ${subject} as CSV`}
      onClick={() => void action.run()}
    >
      <span aria-hidden="true">↓</span> {action.error ? 'Not downloaded. Try again' : 'CSV'}
    </button>
  )
}
