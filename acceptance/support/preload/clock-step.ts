// Preloaded into the server, this moves its clock forward by half an hour on each SIGUSR2, so that tests of the
// simulator need not wait for the next half hour.
let aheadMs = 0
process.on('SIGUSR2', () => {
  aheadMs += 30 * 60_000
})
const RealDate = globalThis.Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + aheadMs] : args, newTarget),
  get: (target, name) => (name === 'now' ? () => RealDate.now() + aheadMs : Reflect.get(target, name)),
})
