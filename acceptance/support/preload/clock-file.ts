// Preloaded into every thread of the server, this moves its clock forward by the milliseconds in CLOCK_FILE, read on
// each call: a test can move the clock of a running server.
import { openSync, readSync } from 'node:fs'

const file = openSync(process.env['CLOCK_FILE'] ?? '', 'r')
const digits = Buffer.alloc(20)
const RealDate = globalThis.Date
const realInstant = Temporal.Now.instant.bind(Temporal.Now)

function aheadMs(): number {
  readSync(file, digits, 0, digits.length, 0)
  return Number(digits.toString('latin1'))
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + aheadMs()] : args, newTarget),
  get: (target, name) => (name === 'now' ? () => RealDate.now() + aheadMs() : Reflect.get(target, name)),
})
Temporal.Now.instant = () => realInstant().add({ milliseconds: aheadMs() })
Temporal.Now.zonedDateTimeISO = (zone = Temporal.Now.timeZoneId()) =>
  Temporal.Now.instant().toZonedDateTimeISO(zone)
