import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Figures } from './calls.ts'

/** Figures of several processes as one text for Prometheus. */
export interface AddedFigures {
  /** What a worker last said of itself. */
  note(number: number, figures: Figures): void
  /** What a worker that has ended had counted stays counted: a sum that fell would look like a restart of the server. */
  keep(number: number): void
  text(own: Figures): Promise<string>
}

const addUp = (figures: Figures[]): Registry => AggregatorRegistry.aggregate(figures)

export function addUpFigures(): AddedFigures {
  const latest = new Map<number, Figures>()
  let kept: Promise<Figures> = Promise.resolve([])

  return {
    note: (number, figures) => void latest.set(number, figures),
    keep(number) {
      const last = latest.get(number) ?? []
      latest.delete(number)
      kept = kept.then((before) => addUp([before, last.filter(isCount)]).getMetricsAsJSON())
    },
    text: async (own) => addUp([own, await kept, ...latest.values()]).metrics(),
  }
}

const COUNTS: unknown[] = ['counter', 'histogram']

const isCount = ({ type }: Figures[number]): boolean => COUNTS.includes(type)
