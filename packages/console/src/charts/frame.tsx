import { type ComponentChildren, Fragment, type VNode } from 'preact'

/** Colours of series; each is distinguishable from the page in light and dark. */
export type Tone = 1 | 2 | 3 | 4 | 5 | 6

export interface FrameProps {
  title: string
  unit?: string | undefined
  /** Description of the chart in one sentence. */
  caption: string
  tone: Tone
  legend?: ComponentChildren
  children: ComponentChildren
}

/** Lines break between short clauses, not between a number and its unit. */
const CLAUSE = /(?<=[,;:]) /
const LONGEST_UNBROKEN = 24

/** The common part of every chart: a figure with a caption that describes it in words. */
export function Frame({ title, unit, caption, tone, legend, children }: FrameProps): VNode {
  return (
    <figure class={`chart chart-tone-${tone}`}>
      <figcaption class="chart-caption">
        <span class="chart-title">{title}</span>
        {unit && <span class="chart-unit"> {unit}</span>}
        <span class="chart-sentence">
          {caption.split(CLAUSE).map((clause) => (
            <Fragment key={clause}>
              {clause.length <= LONGEST_UNBROKEN ? <span class="chart-clause">{clause}</span> : clause}{' '}
            </Fragment>
          ))}
        </span>
      </figcaption>
      {legend}
      {children}
    </figure>
  )
}

const TONES: Record<string, Tone> = {
  gas: 3,
  water: 2,
  hotwater: 4,
  heating: 4,
  cooling: 2,
  solar: 3,
  humidity: 2,
  co2: 5,
  voc: 5,
  pm25: 6,
  noise: 6,
  light: 3,
  pressure: 6,
  occupancy: 5,
  motion: 5,
  carbon: 6,
}

/** The same metric has the same colour on every page. */
export const getTone = (metricType: string): Tone => TONES[metricType] ?? 1
