// Preloaded into the server, this moves its clock forward by CLOCK_AHEAD_MS, so that tests of expired tokens need not
// wait an hour.
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'])
const RealDate = globalThis.Date
const realInstant = Temporal.Now.instant.bind(Temporal.Now)

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + aheadMs] : args, newTarget),
  get: (target, name) => (name === 'now' ? () => RealDate.now() + aheadMs : Reflect.get(target, name)),
})
Temporal.Now.instant = () => realInstant().add({ milliseconds: aheadMs })
