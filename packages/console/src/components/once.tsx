import type { ComponentChildren, JSX } from 'preact'
import { saveFile } from '../save-file.ts'
import { CodeBlock } from './code.tsx'
import { OpenDialog } from './dialog.tsx'

interface OnceProps {
  title: string
  /** Instructions for using the values. */
  children?: ComponentChildren
  text: string
  fileName: string
  onClose: () => void
}

/** Credentials that are shown only once: neither Escape nor a click outside closes the dialog. */
export function ShownOnce({ title, children, text, fileName, onClose }: OnceProps): JSX.Element {
  return (
    <OpenDialog title={title} onClose={onClose} isKeptOpen>
      <p class="note warning">
        These values are shown once. Copy or download them now; they cannot be shown again.
      </p>
      {children}
      <CodeBlock code={text} />
      <div class="actions">
        <button
          type="button"
          class="button primary"
          onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}
        >
          I have stored them
        </button>
        <button type="button" class="button" onClick={() => saveFile(fileName, text, 'text/plain')}>
          Download {fileName}
        </button>
      </div>
    </OpenDialog>
  )
}
