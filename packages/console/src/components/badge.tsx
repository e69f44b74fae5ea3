import type { ComponentChildren, JSX } from 'preact'

export type Tone = 'neutral' | 'good' | 'warning' | 'bad' | 'info'

/** A state in a word. Its mark differs by tone, so that it can be distinguished without colour. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  tone?: Tone
  children: ComponentChildren
}): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>
}

const STATUS_TONES: Readonly<Record<string, Tone>> = { online: 'good', offline: 'bad', unknown: 'neutral' }

export const StatusBadge = ({ status }: { status: string }): JSX.Element => (
  <Badge tone={STATUS_TONES[status] ?? 'neutral'}>{status}</Badge>
)

const COMMAND_TONES: Readonly<Record<string, Tone>> = {
  CONFIRMED: 'good',
  FAILED: 'bad',
  EXPIRED: 'bad',
  CANCELLED: 'neutral',
  SUPERSEDED: 'neutral',
}

/** The state of a command; states that are not final are shown as in progress. */
export const CommandBadge = ({ status }: { status: string }): JSX.Element => (
  <Badge tone={COMMAND_TONES[status] ?? 'info'}>{status.toLowerCase()}</Badge>
)
