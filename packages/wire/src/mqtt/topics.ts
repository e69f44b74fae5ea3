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
      'online or offline, retained, offline as the last will; a gateway speaks for all its devices.',
  },
  commands: {
    pattern: 'portico/v1/{siteUuid}/{deviceUuid}/commands',
    from: 'server',
    description: 'What the device shall do; QoS 1, never retained.',
  },
  commandStatus: {
    pattern: 'portico/v1/{siteUuid}/{deviceUuid}/commands/{commandUuid}/status',
    from: 'device',
    description: 'What became of a command; QoS 1.',
  },
} as const

export type TopicKind = keyof typeof TOPICS
