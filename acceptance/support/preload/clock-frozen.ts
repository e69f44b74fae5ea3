// Loaded into the server before anything else, in each of its threads, this stops its clock at FROZEN_AT: two servers that
// are asked the same, one after the other, then have nothing to differ in but their data.
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
