import type { JSX } from 'preact'
import { CodeBlock } from './code.tsx'

/** A whole record as the API returns it. */
export const RecordView = ({ record }: { record: unknown }): JSX.Element => (
  <CodeBlock code={JSON.stringify(record, null, 2)} />
)
