/** Ports to listen on; default addresses are derived from them. */
export interface Ports {
  http: number
  /** Port of the embedded broker; unused with an external one. */
  mqtt: number
  /** Port for MQTT over TLS; undefined if the broker does not offer it. */
  mqtts: number | undefined
  /** Port of the listener for /metrics; undefined if there is none. */
  metrics: number | undefined
}
