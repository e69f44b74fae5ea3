import type { ComponentChildren, JSX } from 'preact'
import { saveFile } from '../save-file.ts'
import { CodeBlock } from './code.tsx'
import { OpenDialog } from './dialog.tsx'

interface OnceProps {
  title: string
  /** What to do with the values. */
  children?: ComponentChildren
  text: string
  fileName: string
  onClose: () => void
}

/** Credentials, which are shown once and never again. */
export function ShownOnce({ title, children, text, fileName, onClose }: OnceProps): JSX.Element {
  return (
    <OpenDialog title={title} onClose={onClose}>
      <p class="note warning">
        These values are shown once. Copy or download them now; nobody can read them later.
      </p>
      {children}
      <CodeBlock code={text} />
      <div class="actions">
        <button type="button" class="button" onClick={() => saveFile(fileName, text, 'text/plain')}>
          Download {fileName}
        </button>
      </div>
    </OpenDialog>
  )
}
