import type { HttpRequest } from '../../support/saturate.ts'
import type { Metric, RoomReading } from '../../support/residence.ts'

export interface PeerQuestion {
  room: number
  metric: Metric
  from: number
  to: number
  step: 'hour' | 'day'
}

/** Another store of time series, started for the benchmark with its usual settings. */
export interface Peer {
  url: string
  pid: number
  write(readings: readonly RoomReading[]): HttpRequest
  /** The same windows that Portico answers: consumption of a register, the mean of a gauge. */
  read(question: PeerQuestion): HttpRequest
  stop(): Promise<void>
}

export interface PeerKind {
  name: string
  /** Whether this machine has it. */
  isThere(): boolean
  start(folder: string): Promise<Peer>
}
