import type { IncomingMessage } from 'node:http'
import { EXPORT_FORMATS } from '../../domain/telemetry/export/format.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import { AppError, NotReadyError } from '../../kernel/errors.ts'
import type { Reply } from '../pipeline/reply.ts'
import type { Chargeable } from '../pipeline/rate-limit.ts'
import type { RouteServices } from '../pipeline/route.ts'
import { prepareExport } from './encode-export.ts'
import type { ExportJob } from './export-job.ts'
import type { WindowServices } from './windows.ts'

export type ExportServices = Pick<RouteServices, 'computeThread' | 'exports' | 'health' | 'requestLimits'> &
  WindowServices

interface ExportCall extends Chargeable {
  readonly caller: Client
  readonly request: IncomingMessage
}

/** Units of the rate limit. */
const COST = 10

const CHECK_INTERVAL_MS = 250

/** Responds with an export, which a thread reads and encodes while it is sent. */
export async function exportReply(
  call: ExportCall,
  services: ExportServices,
  model: SiteModel,
  job: ExportJob,
): Promise<Reply> {
  const { format } = prepareExport(services, model, job).options
  const reply = { status: 200, type: EXPORT_FORMATS[format] }
  // The length is unknown, and without chunks the end of the connection is the end of the body.
  if (call.request.httpVersion === '1.0' && format === 'csv')
    throw new AppError(
      'bad-request',
      'An export as CSV needs HTTP/1.1: with HTTP/1.0, a truncated response looks complete.',
    )
  if (call.request.method === 'HEAD') return { ...reply, body: undefined }
  const leave = services.exports.enter(call.caller.partnerUuid, job.siteUuid)
  try {
    await services.requestLimits.consumeRest(call, COST)
    const body = services.computeThread.runExport(job)
    // An export may take longer than a stopping server waits for requests.
    const checks = setInterval(() => {
      if (!services.health.isReady()) body.destroy(new NotReadyError(services.health.reasons()[0]))
    }, CHECK_INTERVAL_MS).unref()
    body.once('close', () => {
      clearInterval(checks)
      leave()
    })
    return { ...reply, body }
  } catch (error) {
    leave()
    throw error
  }
}
