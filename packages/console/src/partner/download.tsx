import type { JSX } from 'preact'
import { type ApiCall, send } from '../api.ts'
import { useAction } from '../resource.ts'
import { saveFile } from '../save-file.ts'

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

/** Downloads the response to a call as CSV. */
export function DownloadCsv({
  call,
  fileName,
  subject,
}: {
  call: ApiCall
  fileName: string
  subject: string
}): JSX.Element {
  const action = useAction(async () => {
    const { data } = await send<string>({ ...call, accept: 'text/csv' })
    saveFile(fileName, data, 'text/csv;charset=utf-8')
  })
  return (
    <button
      type="button"
      class="button small ghost"
      disabled={action.isRunning}
      aria-label={`${action.error ? 'Not downloaded. Try again: ' : ''}Download ${subject} as CSV`}
      onClick={() => void action.run()}
    >
      <span aria-hidden="true">↓</span> {action.error ? 'Not downloaded. Try again' : 'CSV'}
    </button>
  )
}
