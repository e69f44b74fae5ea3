/** Every topic begins with this. */
export const TOPIC_ROOT = 'portico/v1'

/** Topics by kind, with their direction. `senderUuid` is a device, or for presence also a gateway. */
export const TOPICS = {
  readings: {
    pattern: 'portico/v1/{siteUuid}/{deviceUuid}/readings',
    from: 'device',
    description: 'Measured values; QoS 1, acknowledged when they are durable.',
  },
  presence: {
    pattern: 'portico/v1/{siteUuid}/{unitUuid}/presence',
    from: 'device',
    description:
      'online or offline, retained, with offline as the last will; a gateway’s presence applies to all its devices.',
  },
  commands: {
    pattern: 'portico/v1/{siteUuid}/{deviceUuid}/commands',
    from: 'server',
    description: 'Commands for the device; QoS 1, never retained.',
  },
  commandStatus: {
    pattern: 'portico/v1/{siteUuid}/{deviceUuid}/commands/{commandUuid}/status',
    from: 'device',
    description: 'Status of a command; QoS 1.',
  },
} as const

export type TopicKind = keyof typeof TOPICS
