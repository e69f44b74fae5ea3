// Loaded into the server before anything else, this puts its clock ahead by half an hour with every SIGUSR2: the only
// way to see what the demo's devices do at the next half hour without waiting for it.
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
