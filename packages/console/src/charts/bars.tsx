import type { VNode } from 'preact'
import { Chart, type ChartProps } from './chart.tsx'

/** Amounts, such as consumption: a bar for each window. */
export const Bars = (props: ChartProps): VNode => <Chart {...props} kind="bars" />
