import type { Browser, BrowserContextOptions } from 'playwright-core'
import { launchBrowser, type WatchedPage } from '../pages/browser.ts'
import { addPartner, type NewPartner } from '../support/clients/operator.ts'
import { api } from '../support/clients/requests.ts'
import type { JsonObject } from '../support/json.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { openConsole } from './console-page.ts'

/** A server, a browser, and an operator who signs in with it. */
export interface OperatorConsole {
  installation: Installation
  browser: Browser
  person: NewPartner
  /** Opens a page of the console in a new session. */
  open(path: string, options?: BrowserContextOptions): Promise<WatchedPage>
  addPartner(body: JsonObject): Promise<NewPartner>
  /** Reads from the operator API. */
  read(path: string): Promise<JsonObject>
  stop(): Promise<void>
}

export async function startOperatorConsole(
  name = 'Platform team',
  env: Record<string, string> = {},
): Promise<OperatorConsole> {
  const installation = await startInstallation(env)
  const { portico, operator } = installation
  const add = (body: JsonObject): Promise<NewPartner> => addPartner(portico, operator, body)
  const person = await add({ name, roles: ['Operator'], sites: [] })
  const browser: Browser = await launchBrowser()
  return {
    installation,
    browser,
    person,
    open: (path, options) => openConsole(browser, portico, person, path, options),
    addPartner: add,
    read: async (path) => (await api(portico, `/operator${path}`, { token: operator })).json,
    stop: async () => {
      await browser.close()
      await installation.stop()
    },
  }
}

/** The settings in a text of lines NAME=value. */
export const parseSettings = (text: string): Map<string, string> =>
  new Map(
    text
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
