import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { type Network, parseNetwork } from '../kernel/address-filter.ts'

/** Parses the text of a setting, or throws a `BadValue` whose message completes "must be …". */
export interface Parse<T> {
  (text: string): T
  /** All values, if they are a fixed set. */
  readonly allowed?: readonly string[]
}

export class BadValue extends Error {}

export const word: Parse<string> = (text) => text

export const port: Parse<number> = (text) => {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= 65_535)) throw new BadValue('a port from 0 to 65535')
  return value
}

/** A port, or `off` for no listener at all. */
export const portOrOff: Parse<number | 'off'> = (text) => {
  if (text === 'off') return 'off'
  try {
    return port(text)
  } catch {
    throw new BadValue('a port from 0 to 65535, or off')
  }
}

export const count =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) throw new BadValue(`a whole number from ${min} to ${max}`)
    return value
  }

/** A decimal number that is not negative. */
export const factor =
  (max: number): Parse<number> =>
  (text) => {
    const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
    if (!(value <= max)) throw new BadValue(`a number from 0 to ${max}, such as 0.18`)
    return value
  }

export const parseEnum = <const T extends string>(...allowed: T[]): Parse<T> => {
  const parse = (text: string): T => {
    const value = allowed.find((candidate) => candidate === text)
    if (value === undefined) throw new BadValue(`one of ${allowed.join(', ')}`)
    return value
  }
  return Object.assign(parse, { allowed })
}

/** `on` and `off`, and their common spellings in environment variables. */
export const onOff: Parse<boolean> = Object.assign(
  (text: string) => {
    if (['on', 'true', '1', 'yes'].includes(text)) return true
    if (['off', 'false', '0', 'no'].includes(text)) return false
    throw new BadValue('on or off')
  },
  { allowed: ['on', 'off'] },
)

/** An origin: scheme, host and port only. */
export const origin: Parse<string> = (text) => {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href !== `${url.origin}/`) {
    throw new BadValue('an address such as https://api.example.com, without a path')
  }
  return url.origin
}

export const webAddress: Parse<string> = (text) => {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new BadValue('an http or https address')
  return text
}

/** The address of a service to call: fetch rejects a user and password in an address, and sends no fragment. */
export const serviceAddress: Parse<string> = (text) => {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.hash)
    throw new BadValue('an http or https address without a user, password or fragment')
  return text
}

/** 127.0.0.0/8, ::1 and `localhost`, as the URL parser writes them. */
const isLoopback = (hostname: string): boolean => /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/.test(hostname)

/**
 * The address of an issuer's key set. Over plain HTTP, an attacker on the network path could replace the keys and sign
 * tokens, so http is accepted for loopback addresses only.
 */
export const keySetAddress: Parse<string> = (text) => {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!isSafe) throw new BadValue('an https address (plain http only for a loopback address)')
  return text
}

/** First segments of the paths that the server has besides those of the issuer. */
const RESERVED_SEGMENTS = [
  'v1',
  'v2',
  'operator',
  'console',
  'openapi',
  'reference',
  'docs',
  'docs.md',
  'errors',
  'errors.md',
  'changelog',
  'changelog.md',
  'deprecations',
  'clients',
  'llms.txt',
  'live',
  'ready',
  'metrics',
]

export const tenant: Parse<string> = (text) => {
  if (!/^[a-z0-9][a-z0-9.-]{0,62}$/.test(text) || RESERVED_SEGMENTS.includes(text)) {
    throw new BadValue(
      `lower-case letters, digits, dots and dashes, and not one of ${RESERVED_SEGMENTS.join(', ')}`,
    )
  }
  return text
}

export const readableFile: Parse<string> = (text) => {
  try {
    accessSync(text, constants.R_OK)
  } catch {
    throw new BadValue('the path of a readable file')
  }
  return text
}

/** TRUST_PROXY: off, on, a number of hops, or addresses and networks. */
export const proxies: Parse<boolean | number | string[]> = (text) => {
  if (text === 'on' || text === 'true') return true
  if (text === 'off' || text === 'false') return false
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const list = text.split(',').map((part) => part.trim())
  if (
    !list.every(
      (part) =>
        /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(part) || ['loopback', 'linklocal', 'uniquelocal'].includes(part),
    )
  ) {
    throw new BadValue('off, on, a number of proxies, or a comma-separated list of addresses and networks')
  }
  return list
}

export type DatabaseAddress = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string }

export const database: Parse<DatabaseAddress> = (text) => {
  const file = /^sqlite:(.+)/.exec(text)?.[1]
  if (file !== undefined) return { kind: 'sqlite', file: resolve(file) }
  const url = URL.parse(text)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || !isDecodable(url.username + url.password))
    throw new BadValue('sqlite:<file> or postgres://user:password@host/database')
  return { kind: 'postgres', url: text }
}

/** An ISO 8601 duration, such as P400D or P2Y, in milliseconds. A year counts 365 days, a month 31. */
export const duration: Parse<number> = (text) => {
  try {
    const given = Temporal.Duration.from(text)
    const relativeTo = Temporal.PlainDate.from('2025-01-01')
    if (given.sign === 1) return given.total({ unit: 'milliseconds', relativeTo })
  } catch {}
  throw new BadValue('a duration such as P400D or P2Y')
}

const DAY_MS = 86_400_000

/** From a day to a year. */
export const dayToYear: Parse<number> = (text) => {
  const allowed = 'a duration from P1D to P1Y, such as P30D'
  let ms: number
  try {
    ms = duration(text)
  } catch {
    throw new BadValue(allowed)
  }
  if (ms < DAY_MS || ms > 366 * DAY_MS) throw new BadValue(allowed)
  return ms
}

const isDecodable = (text: string): boolean => !/%(?![0-9a-f]{2})/i.test(text)

export const brokerAddress: Parse<string> = (text) => {
  const url = URL.parse(text)
  const isSupported = /^(mqtts?|wss?):$/.test(url?.protocol ?? '') && url?.hostname !== ''
  if (!url || !isSupported || !isDecodable(url.username) || !isDecodable(url.password))
    throw new BadValue('an address such as mqtt://broker:1883 or mqtts://user:password@broker')
  return text
}

export const redisAddress: Parse<string> = (text) => {
  const url = URL.parse(text)
  const isSupported = /^rediss?:$/.test(url?.protocol ?? '') && url?.hostname !== ''
  if (!url || !isSupported || !isDecodable(url.username) || !isDecodable(url.password))
    throw new BadValue('an address such as redis://redis:6379 or rediss://user:password@redis')
  return text
}

/** Networks in CIDR notation, separated by commas. */
export const networks: Parse<Network[]> = (text) =>
  text.split(',').map((part) => {
    const network = parseNetwork(part.trim())
    if (!network) throw new BadValue('a comma-separated list of networks such as 10.0.0.0/8')
    return network
  })

export const list: Parse<string[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.some((part) => part === '')) throw new BadValue('a comma-separated list without empty values')
  return parts
}
