import type { ComponentChildren, JSX } from 'preact'
import type { Tone } from './badge.tsx'

export interface Figure {
  name: string
  value: ComponentChildren
  /** A few words below the value. */
  note?: ComponentChildren
  href?: string
  tone?: Tone
}

/** Key figures side by side; each can lead to the page that explains it. */
export function Figures({ figures }: { figures: readonly Figure[] }): JSX.Element {
  return (
    <dl class="figures">
      {figures.map(({ name, value, note, href, tone = 'neutral' }) => (
        <div key={name} class={tone}>
          <dt>{href ? <a href={href}>{name}</a> : name}</dt>
          <dd>
            <span class="figure">{value}</span>
            {note && <span class="quiet">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
