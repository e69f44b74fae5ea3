import { TOKEN_ALGORITHMS } from '../domain/identity/token/token.ts'
import * as values from './values.ts'

/** A setting: an environment variable, and in some cases also a flag. */
export interface Setting<T> {
  /** Environment variable. */
  env: string
  /** Flag of `portico serve`, without dashes. */
  flag?: string
  parse: values.Parse<T>
  fallback?: T
  /** Description of a default that is computed from other settings. */
  fallbackText?: string
  /** Placeholder for the value in help texts. */
  placeholder: string
  help: string
  /** A switch takes no value on the command line. */
  isSwitch?: true
  /** Also read from the file at `<env>_FILE`, and never printed. */
  isSecret?: true
}

const setting = <T, S extends Setting<T>>(definition: S & Setting<T>): S => definition

/** All settings. Help texts and docs/configuration.md are generated from this table. */
export const SETTINGS = {
  host: setting({
    env: 'HOST',
    flag: 'host',
    parse: values.word,
    fallback: '127.0.0.1',
    placeholder: 'ADDRESS',
    help: 'Address to listen on.',
  }),
  port: setting({
    env: 'PORT',
    flag: 'port',
    parse: values.port,
    fallback: 8080,
    placeholder: 'PORT',
    help: 'Port to listen on; 0 chooses a free port.',
  }),
  dataDir: setting({
    env: 'DATA_DIR',
    flag: 'data',
    parse: values.word,
    fallback: './data',
    placeholder: 'DIR',
    help: 'Directory for all data of this installation; serve, and commands that add data, create it.',
  }),
  database: setting({
    env: 'DATABASE_URL',
    flag: 'database',
    parse: values.database,
    fallbackText: 'sqlite:<data>/portico.db',
    placeholder: 'URL',
    help: 'The store: sqlite:<file>, or postgres://user:password@host/database for PostgreSQL and Citus, with ?prepare=false behind a transaction pooler.',
    isSecret: true,
  }),
  publicUrl: setting({
    env: 'PUBLIC_URL',
    flag: 'public-url',
    parse: values.origin,
    fallbackText: 'http://localhost:<port>, https with TLS',
    placeholder: 'URL',
    help: 'Address that partners use. The issuer, links and error pages are derived from it, never from a request.',
  }),
  tenant: setting({
    env: 'TENANT',
    flag: 'tenant',
    parse: values.tenant,
    fallback: 'auth',
    placeholder: 'NAME',
    help: 'Path segment of the token issuer: {auth_url} is <public url>/<tenant>.',
  }),
  tlsCert: setting({
    env: 'TLS_CERT',
    flag: 'tls-cert',
    parse: values.readableFile,
    placeholder: 'FILE',
    help: 'Certificate chain, PEM; requires --tls-key. Reloaded when the file changes.',
  }),
  tlsKey: setting({
    env: 'TLS_KEY',
    flag: 'tls-key',
    parse: values.readableFile,
    placeholder: 'FILE',
    help: 'Private key of the certificate, PEM.',
  }),
  rateLimit: setting({
    env: 'RATE_LIMIT',
    flag: 'rate-limit',
    parse: values.onOff,
    fallback: true,
    placeholder: 'on|off',
    help: 'Whether requests are counted and limited.',
  }),
  rateLimitPerMinute: setting({
    env: 'RATE_LIMIT_PER_MINUTE',
    parse: values.count(1, 1_000_000),
    fallback: 180,
    placeholder: 'COUNT',
    help: 'Requests per minute for each partner and site; an expensive query counts as several.',
  }),
  rateLimitPer5Minutes: setting({
    env: 'RATE_LIMIT_PER_5_MINUTES',
    parse: values.count(1, 1_000_000),
    fallback: 500,
    placeholder: 'COUNT',
    help: 'Requests per five minutes for each partner and site; an expensive query counts as several.',
  }),
  operatorNetworks: setting({
    env: 'OPERATOR_NETWORKS',
    parse: values.networks,
    fallbackText: 'all',
    placeholder: 'CIDR,…',
    help: 'Networks from which the operator API is reachable and operators can sign in to the console, such as 10.0.0.0/8. From elsewhere, both return 404. The caller’s address is the one that TRUST_PROXY yields.',
  }),
  console: setting({
    env: 'CONSOLE',
    parse: values.onOff,
    fallback: true,
    placeholder: 'on|off',
    help: 'Whether the web console is served. With off, every path under /console returns 404.',
  }),
  trustProxy: setting({
    env: 'TRUST_PROXY',
    flag: 'trust-proxy',
    parse: values.proxies,
    fallback: false,
    placeholder: 'off|on|HOPS|ADDRESSES',
    help: 'Which reverse proxies may set the caller’s address in X-Forwarded-For. With on, every address in that header is trusted, even one forged by a client: prefer the number of proxies or their addresses.',
  }),
  connectionsPerAddress: setting({
    env: 'CONNECTIONS_PER_ADDRESS',
    parse: values.count(1, 10_000),
    fallback: 256,
    placeholder: 'COUNT',
    help: 'HTTP connections that one IPv4 address or IPv6 /64 network may open to one process; the proxies of TRUST_PROXY are exempt.',
  }),
  supportContact: setting({
    env: 'SUPPORT_CONTACT',
    flag: 'support-contact',
    parse: values.word,
    fallback: 'the operator of this installation',
    placeholder: 'TEXT',
    help: 'Contact for partners, shown on error pages.',
  }),
  demo: setting({
    env: 'DEMO',
    flag: 'demo',
    parse: values.onOff,
    fallback: false,
    placeholder: 'on|off',
    help: 'On an empty store, create a demo site with credentials and write <data>/demo.env.',
    isSwitch: true,
  }),
  logLevel: setting({
    env: 'LOG_LEVEL',
    flag: 'log-level',
    parse: values.parseEnum('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    fallback: 'info',
    placeholder: 'LEVEL',
    help: 'fatal, error, warn, info, debug, trace or silent.',
  }),
  logFormat: setting({
    env: 'LOG_FORMAT',
    flag: 'log-format',
    parse: values.parseEnum('json', 'pretty'),
    fallbackText: 'pretty on a terminal, otherwise json',
    placeholder: 'json|pretty',
    help: 'Form of the log: one JSON object per line, or text for people.',
  }),
  noColor: setting({
    env: 'NO_COLOR',
    parse: () => true,
    fallback: false,
    placeholder: 'ANYTHING',
    help: 'If set to any value, the log has no colours.',
  }),
  tokenAlgorithm: setting({
    env: 'TOKEN_ALGORITHM',
    flag: 'token-algorithm',
    parse: values.parseEnum(...TOKEN_ALGORITHMS),
    fallback: 'ES256',
    placeholder: 'ES256|RS256',
    help: 'Signature algorithm of tokens. Signing with RS256 costs about forty times more CPU time.',
  }),
  builtInIssuer: setting({
    env: 'BUILTIN_ISSUER',
    parse: values.onOff,
    fallback: true,
    placeholder: 'on|off',
    help: 'With off, only tokens of the external issuer are accepted and no token endpoint is served.',
  }),
  outsideIssuer: setting({
    env: 'OUTSIDE_ISSUER',
    parse: values.webAddress,
    placeholder: 'URL',
    help: 'External issuer to trust in addition to the built-in one: the exact iss claim of its tokens.',
  }),
  outsideIssuerJwks: setting({
    env: 'OUTSIDE_ISSUER_JWKS',
    parse: values.keySetAddress,
    placeholder: 'URL',
    help: 'Key set of the external issuer: an https address, or an http address on the loopback interface.',
  }),
  outsideIssuerAudience: setting({
    env: 'OUTSIDE_ISSUER_AUDIENCE',
    parse: values.list,
    placeholder: 'AUDIENCE[,AUDIENCE]',
    help: 'Accepted aud claims of tokens of the external issuer.',
  }),
  mqttUrl: setting({
    env: 'MQTT_URL',
    flag: 'mqtt',
    parse: values.brokerAddress,
    placeholder: 'URL',
    help: 'External MQTT broker, with user and password in the address. If not set, the embedded broker is used.',
    isSecret: true,
  }),
  mqttPort: setting({
    env: 'MQTT_PORT',
    flag: 'mqtt-port',
    parse: values.port,
    fallback: 1883,
    placeholder: 'PORT',
    help: 'Port of the embedded MQTT broker; 0 chooses a free port. If TLS_CERT is set and this is not, it listens on 127.0.0.1 only.',
  }),
  mqttsPort: setting({
    env: 'MQTTS_PORT',
    flag: 'mqtts-port',
    parse: values.portOrOff,
    fallback: 8883,
    placeholder: 'PORT|off',
    help: 'Port of the embedded MQTT broker for MQTT over TLS, with the certificate in TLS_CERT; 0 chooses a free port, off disables it.',
  }),
  metricsHost: setting({
    env: 'METRICS_HOST',
    parse: values.word,
    fallback: '127.0.0.1',
    placeholder: 'ADDRESS',
    help: 'Address of the listener for GET /metrics. It requires no credentials: only Prometheus should be able to reach it.',
  }),
  metricsPort: setting({
    env: 'METRICS_PORT',
    parse: values.portOrOff,
    fallback: 9464,
    placeholder: 'PORT|off',
    help: 'Port of the listener for GET /metrics; 0 chooses a free port, off disables it.',
  }),
  weatherProvider: setting({
    env: 'WEATHER_PROVIDER',
    parse: values.parseEnum('synthetic', 'open-meteo'),
    fallback: 'synthetic',
    placeholder: 'synthetic|open-meteo',
    help: 'Source of weather data. synthetic generates data that is marked as synthetic, without calling a service.',
  }),
  weatherUrl: setting({
    env: 'WEATHER_URL',
    parse: values.serviceAddress,
    fallback: 'https://api.open-meteo.com',
    placeholder: 'URL',
    help: 'Address of the weather service, with an apikey query parameter if the service requires one.',
    isSecret: true,
  }),
  carbonProvider: setting({
    env: 'CARBON_PROVIDER',
    parse: values.parseEnum('synthetic', 'gb-carbon-intensity'),
    fallback: 'synthetic',
    placeholder: 'synthetic|gb-carbon-intensity',
    help: 'Source of carbon intensity data. synthetic generates data that is marked as synthetic, without calling a service.',
  }),
  carbonUrl: setting({
    env: 'CARBON_URL',
    parse: values.serviceAddress,
    fallback: 'https://api.carbonintensity.org.uk',
    placeholder: 'URL',
    help: 'Address of the carbon intensity service.',
  }),
  gasKgPerM3: setting({
    env: 'GAS_KG_PER_M3',
    flag: 'gas-kg-per-m3',
    parse: values.factor(100),
    fallback: 2.04,
    placeholder: 'KG',
    help: 'Emissions of gas, in kgCO2e per cubic metre.',
  }),
  heatKgPerKwh: setting({
    env: 'HEAT_KG_PER_KWH',
    flag: 'heat-kg-per-kwh',
    parse: values.factor(100),
    fallback: 0.18,
    placeholder: 'KG',
    help: 'Emissions of heating, in kgCO2e per kilowatt hour of heat.',
  }),
  coolingKgPerKwh: setting({
    env: 'COOLING_KG_PER_KWH',
    flag: 'cooling-kg-per-kwh',
    parse: values.factor(100),
    fallback: 0.07,
    placeholder: 'KG',
    help: 'Emissions of cooling, in kgCO2e per kilowatt hour of cold.',
  }),
  workers: setting({
    env: 'WORKERS',
    flag: 'workers',
    parse: values.count(1, 64),
    fallback: 1,
    placeholder: 'COUNT',
    help: 'Processes that serve requests. With more than one, an additional primary process writes to the store, talks to devices and counts rate limits.',
  }),
  redisUrl: setting({
    env: 'REDIS_URL',
    parse: values.redisAddress,
    placeholder: 'URL',
    help: 'Redis server through which several instances share their rate-limit counters.',
    isSecret: true,
  }),
  exportAtOnce: setting({
    env: 'EXPORT_AT_ONCE',
    parse: values.count(1, 100),
    fallback: 4,
    placeholder: 'COUNT',
    help: 'Exports that each process runs at the same time; further ones are answered with 429.',
  }),
  webhooks: setting({
    env: 'WEBHOOKS',
    parse: values.onOff,
    fallback: true,
    placeholder: 'on|off',
    help: 'Whether events are sent to webhooks. With off, nothing is delivered and the webhook calls return 409.',
  }),
  webhookAllowedNetworks: setting({
    env: 'WEBHOOK_ALLOWED_NETWORKS',
    parse: values.networks,
    fallbackText: 'none; loopback for the demo',
    placeholder: 'CIDR,…',
    help: 'Networks that webhooks may reach although they are not public, such as 10.0.0.0/8. Only there, webhooks may use http instead of https. Add 64:ff9b::/96 if the server reaches IPv4 through NAT64.',
  }),
  rawRetentionMs: setting({
    env: 'RAW_RETENTION',
    parse: values.duration,
    placeholder: 'DURATION',
    fallbackText: 'unlimited',
    help: 'How long raw readings are kept, such as P400D or P2Y. Older readings are deleted and rejected; values of closed windows are kept.',
  }),
  eventRetentionMs: setting({
    env: 'EVENT_RETENTION',
    parse: values.dayToYear,
    placeholder: 'DURATION',
    fallback: 30 * 86_400_000,
    fallbackText: 'P30D',
    help: 'How long events are kept, from P1D to P1Y. Webhooks that have not delivered an event by then never do.',
  }),
} as const

export type SettingName = keyof typeof SETTINGS
