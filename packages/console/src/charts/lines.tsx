import type { VNode } from 'preact'
import { Chart, type ChartProps } from './chart.tsx'

/** Means, such as climate: a line, with a band from the lowest to the highest reading. */
export const Lines = (props: ChartProps): VNode => <Chart {...props} kind="lines" />
