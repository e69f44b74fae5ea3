// Preloaded into every thread of the server, this stops its clock at FROZEN_AT: responses of two servers to the same
// request then differ only if their data does.
const at = Number(process.env['FROZEN_AT'])
const RealDate = globalThis.Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [at] : args, newTarget),
  get: (target, name) => (name === 'now' ? () => at : Reflect.get(target, name)),
})
Temporal.Now.instant = () => Temporal.Instant.fromEpochMilliseconds(at)
Temporal.Now.zonedDateTimeISO = (zone = Temporal.Now.timeZoneId()) =>
  Temporal.Now.instant().toZonedDateTimeISO(zone)
