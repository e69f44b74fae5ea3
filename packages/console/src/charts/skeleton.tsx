import type { VNode } from 'preact'

/** Outlines of a chart while it is loaded: they fill their container. */
export function Skeleton(): VNode {
  return <div class="chart-skeleton" aria-hidden />
}
