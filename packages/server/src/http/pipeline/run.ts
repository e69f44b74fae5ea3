import { andThen, type MaybePromise } from '../../kernel/maybe-promise.ts'
import { type BodyFormat, readBody } from './body/read-body.ts'
import { assertAcceptable } from './produces.ts'
import { assertRequestLimits, hasBody, startBodyTimeout } from './request-limits.ts'
import type { Gate, GateServices, RoutedCall, RouteServices } from './route.ts'
import { requireValid, type Validators } from './validate.ts'
import type { ResponseWriter } from './write-response.ts'

/** Runs requests: gates, body, validation, handler, response. Stays synchronous if no step is asynchronous. */
export interface Pipeline {
  run(call: RoutedCall): void
}

export function createPipeline(services: RouteServices, writer: ResponseWriter): Pipeline {
  const { publicUrl } = services.addresses

  const enter = (call: RoutedCall): MaybePromise<Error | undefined> => {
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

  /** Reads the body after the gates, so that only the body of an authorised caller is read. */
  const proceed = (call: RoutedCall): MaybePromise<void> => {
    const { reads } = call.route
    return reads ? readBodyOf(call, reads).then(() => finish(call)) : finish(call)
  }

  const fail = (call: RoutedCall, error: unknown): void => writer.writeError(call, error)

  const run = (call: RoutedCall): MaybePromise<void> =>
    andThen(enter(call), (refusal) => (refusal ? fail(call, refusal) : proceed(call)))

  return {
    /** Contains the only error handler of a request, synchronous or not. */
    run(call) {
      try {
        const pending = run(call)
        if (pending instanceof Promise) pending.catch((error: unknown) => fail(call, error))
      } catch (error) {
        fail(call, error)
      }
    },
  }
}

/** Throws `validation-error` for the first part that is invalid, in this order. */
function validateCall({ params, body, query, headers }: Validators, call: RoutedCall): void {
  const { target } = call
  if (params) target.path.requireValid(params, 'path', ({ params: values }) => values)
  if (body) requireValid(body, call.body, 'request body')
  if (query) target.query.requireValid(query, 'query', (parsed) => parsed)
  if (headers) requireValid(headers, call.headers, 'header')
}

async function readBodyOf(call: RoutedCall, format: BodyFormat): Promise<void> {
  try {
    call.body = (await readBody(call.request, format)) ?? (call.route.isBodyOptional ? {} : undefined)
  } catch (error) {
    // The rest of the body is not read.
    call.isLast = !call.request.complete
    throw error
  }
}

function passGates(
  gates: readonly Gate[],
  from: number,
  call: RoutedCall,
  services: GateServices,
): MaybePromise<Error | undefined> {
  for (let index = from; index < gates.length; index += 1) {
    const refusal = gates[index]?.pass(call, services)
    if (refusal instanceof Promise)
      return refusal.then((error) => error ?? passGates(gates, index + 1, call, services))
    if (refusal) return refusal
  }
  return undefined
}
