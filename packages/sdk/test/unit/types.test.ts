import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Static, TSchema } from 'typebox'
import type { Inventory } from '@portico/wire/operator/inventory'
import type { Account } from '@portico/wire/v2/account'
import type { DeviceSeriesBatch, SpaceSeriesBatch } from '@portico/wire/v2/batch'
import type { Command, DeviceSchedule, ScheduleBody } from '@portico/wire/v2/command'
import type { Device } from '@portico/wire/v2/device'
import type { EVENT_SCHEMAS } from '@portico/wire/v2/event'
import type { LatestPage } from '@portico/wire/v2/latest'
import type { DeviceSeries, SpaceSeries } from '@portico/wire/v2/series'
import type { NewWebhook, Webhook } from '@portico/wire/v2/webhook'
import type { Space, SpaceOverview } from '@portico/wire/v2/space'
import type { Problem } from '@portico/wire/problem'
import type { Partner } from '@portico/wire/operator/partner'
import { operatorTypes, partnerTypes, pythonClient } from '../../../../scripts/write-sdk-types.ts'
import type * as sdk from '../../src/index.ts'
import { VERSION } from '../../src/index.ts'
import type * as operator from '../../src/operator.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the types of the SDK are those of the OpenAPI documents: npm run docs', () => {
  assert.equal(read('src/types.ts'), partnerTypes())
  assert.equal(read('src/operator-types.ts'), operatorTypes())
  assert.equal(read('../../clients/python/portico.py'), pythonClient())
})

test('the version is that of the package', () => {
  assert.equal((JSON.parse(read('package.json')) as { version: string }).version, VERSION)
  const python = read('../../clients/python/portico.py')
  assert.ok(python.startsWith(`# portico.py ${VERSION} `))
  assert.ok(python.includes(`\nVERSION = "${VERSION}"\n`))
})

test('the package has no dependencies', () => {
  assert.equal((JSON.parse(read('package.json')) as { dependencies?: object }).dependencies, undefined)
})

/** A type whose enumerations have only the values that are known today. */
type Closed<T> = T extends string
  ? T
  : T extends readonly (infer I)[]
    ? ClosedValue<I>[]
    : T extends object
      ? { [K in keyof T]: ClosedValue<T[K]> }
      : T

/** Drops `string & {}` from a union; a plain `string` remains. */
type ClosedValue<T> = [Known<T>] extends [never] ? Closed<T> : Closed<Known<T> | Exclude<T, string>>
type Known<T> = T extends string ? (string extends T ? never : T) : never

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : Differ<A, B>
/** Intersections and mapped types that are written differently are equal if each can be assigned to the other. */
type Differ<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type Same<A, S extends TSchema> = Equal<Closed<A>, Static<S>>

/** If one of these is false, the types of the SDK are out of date: run `npm run docs`. */
const holds = <_T extends true>(): void => {}

test('each type equals the schema that the server validates', () => {
  holds<Same<sdk.Account, typeof Account>>()
  holds<Same<sdk.Space, typeof Space>>()
  holds<Same<sdk.SpaceOverview, typeof SpaceOverview>>()
  holds<Same<sdk.SpaceSeries, typeof SpaceSeries>>()
  holds<Same<sdk.Device, typeof Device>>()
  holds<Same<sdk.DeviceSeries, typeof DeviceSeries>>()
  holds<Same<sdk.SpaceSeriesBatch, typeof SpaceSeriesBatch>>()
  holds<Same<sdk.DeviceSeriesBatch, typeof DeviceSeriesBatch>>()
  holds<Same<sdk.LatestValuesPage, typeof LatestPage>>()
  holds<Same<sdk.Command, typeof Command>>()
  holds<Same<sdk.DeviceSchedule, typeof DeviceSchedule>>()
  holds<Same<sdk.ScheduleBody, typeof ScheduleBody>>()
  holds<Same<sdk.CommandUpdatedEvent, (typeof EVENT_SCHEMAS)['command.updated']>>()
  holds<Same<sdk.DeviceOfflineEvent, (typeof EVENT_SCHEMAS)['device.offline']>>()
  holds<Same<sdk.InventoryChangedEvent, (typeof EVENT_SCHEMAS)['inventory.changed']>>()
  holds<Same<sdk.DayClosedEvent, (typeof EVENT_SCHEMAS)['day.closed']>>()
  holds<Same<sdk.DataCorrectedEvent, (typeof EVENT_SCHEMAS)['data.corrected']>>()
  holds<Same<sdk.Webhook, typeof Webhook>>()
  holds<Same<sdk.NewWebhook, typeof NewWebhook>>()
  holds<Same<sdk.Problem, typeof Problem>>()
  holds<Same<operator.Inventory, typeof Inventory>>()
  holds<Same<operator.Partner, typeof Partner>>()
  // @ts-expect-error the comparison finds a difference
  holds<Same<Omit<sdk.Space, 'areaM2'>, typeof Space>>()
  // @ts-expect-error the comparison finds a difference in an enumeration
  holds<Same<Omit<sdk.Device, 'status'> & { status: 'online' }, typeof Device>>()
})

test('enumerations are open in responses and closed in requests', () => {
  const unknown = 'a-later-value'
  const status: sdk.Device['status'] = unknown
  // @ts-expect-error not a type of command
  const type: sdk.ScheduleBody['type'] = unknown
  // @ts-expect-error not an interval
  const interval: sdk.GetSpaceHourlyQuery['interval'] = 'PT5M'
  assert.deepEqual([status, type, interval], [unknown, unknown, 'PT5M'])
})
