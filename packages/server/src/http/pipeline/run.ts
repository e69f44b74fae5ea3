import { andThen, type MaybePromise } from '../../kernel/maybe-promise.ts'
import { assertAcceptable } from './produces.ts'
import { assertRequestLimits, hasBody, startBodyTimeout } from './request-limits.ts'
import type { Gate, GateServices, RoutedCall, RouteServices } from './route.ts'
import { validateCall } from './validate.ts'
import type { ResponseWriter } from './write-response.ts'

/** Runs requests: gates, validation, handler, response. Stays synchronous if no step is asynchronous. */
export interface Pipeline {
  /** Runs the gates, then `next`, which reads the body. */
  enter(call: RoutedCall, next: () => void): void
  /** Runs the steps after the gates. */
  finish(call: RoutedCall): void
  /** Runs a request whose body is not read. */
  run(call: RoutedCall): void
  fail(call: RoutedCall, error: unknown): void
}

export function createPipeline(services: RouteServices, writer: ResponseWriter): Pipeline {
  const { publicUrl } = services.addresses

  const enter = (call: RoutedCall): MaybePromise<void> => {
    const { request, response, route } = call
    assertRequestLimits(request)
    if (hasBody(request)) startBodyTimeout(request, response, publicUrl)
    return passGates(route.gates, 0, call, services)
  }

  const finish = (call: RoutedCall): MaybePromise<void> => {
    const { route } = call
    validateCall(route.validators, call)
    assertAcceptable(route.accepts, call.headers.accept)
    return andThen(route.handle(call, services), (reply) => (reply ? writer.write(call, reply) : undefined))
  }

  const fail = (call: RoutedCall, error: unknown): void => writer.writeError(call, error)

  const run = (call: RoutedCall): MaybePromise<void> => {
    const entered = enter(call)
    return entered instanceof Promise ? entered.then(() => finish(call)) : finish(call)
  }

  /** The single error handler of a request, synchronous or not. */
  const settle = (call: RoutedCall, work: (call: RoutedCall) => MaybePromise<void>): void => {
    try {
      const pending = work(call)
      if (pending instanceof Promise) pending.catch((error: unknown) => fail(call, error))
    } catch (error) {
      fail(call, error)
    }
  }

  return {
    enter: (call, next) => settle(call, () => andThen(enter(call), next)),
    finish: (call) => settle(call, finish),
    run: (call) => settle(call, run),
    fail,
  }
}

function passGates(
  gates: readonly Gate[],
  from: number,
  call: RoutedCall,
  services: GateServices,
): MaybePromise<void> {
  for (let index = from; index < gates.length; index += 1) {
    const passed = gates[index]?.pass(call, services)
    if (passed instanceof Promise) return passed.then(() => passGates(gates, index + 1, call, services))
  }
}
