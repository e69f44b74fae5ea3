import type { HttpRequest } from '../../support/saturate.ts'
import type { Metric, RoomReading } from '../../support/residence.ts'

export interface PeerQuery {
  room: number
  metric: Metric
  from: number
  to: number
  step: 'hour' | 'day'
}

/** Another time-series store, started for the benchmark with its default settings. */
export interface Peer {
  url: string
  pid: number
  write(readings: readonly RoomReading[]): HttpRequest
  /** Reads the windows that Portico returns: consumption of a register, mean of a gauge. */
  read(query: PeerQuery): HttpRequest
  stop(): Promise<void>
}

export interface PeerKind {
  name: string
  /** Whether it is installed on this machine. */
  isThere(): boolean
  start(folder: string): Promise<Peer>
}
