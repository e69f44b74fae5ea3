import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const keys = [
  'BASE_URL',
  'BASE_URL_V1',
  'AUTH_URL',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'SITE_ID',
  'OPERATOR_URL',
  'OPERATOR_CLIENT_ID',
  'OPERATOR_CLIENT_SECRET',
  'DEVICE_MQTT_URL',
  'MQTT_USERNAME',
  'MQTT_PASSWORD',
  'PORTICO_BASE_URL',
  'PORTICO_AUTH_URL',
  'PORTICO_CLIENT_ID',
  'PORTICO_CLIENT_SECRET',
  'PORTICO_SITE_ID',
  'PORTICO_OPERATOR_URL',
  'PORTICO_OPERATOR_CLIENT_ID',
  'PORTICO_OPERATOR_CLIENT_SECRET',
] as const

/** Credentials of the demo's partner and operator: the lines of `demo.env`. */
export type DemoEnv = Record<(typeof keys)[number], string>

export function demoEnvPath(dataDir: string): string {
  return join(dataDir, 'demo.env')
}

export async function readDemoEnv(dataDir: string): Promise<DemoEnv> {
  const text = await readFile(demoEnvPath(dataDir), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const found = new Map(lines.map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]))
  const value = (key: string): string => {
    const line = found.get(key)
    if (line === undefined || line === '') throw new Error(`demo.env has no ${key}`)
    return line
  }
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as DemoEnv
}
