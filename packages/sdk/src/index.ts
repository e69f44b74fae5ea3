export type { Batch, BatchRow, Group } from './batch.ts'
export { type Cache, type CachedResponse, memoryCache } from './cache.ts'
export { Call } from './call.ts'
export type { CommandReference, WaitOptions } from './commands.ts'
export { type DateRange, lastDays, month, type Range, today, yesterday } from './dates.ts'
export {
  ApiError,
  BadRequestError,
  CommandFailedError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  CredentialsError,
  ForbiddenError,
  GoneError,
  IdempotencyError,
  NotFoundError,
  PorticoError,
  RateLimitError,
  ServerError,
  TimeoutError,
  WaitTimeoutError,
  WebhookError,
  type WebhookErrorCode,
} from './errors.ts'
export type {
  EventFilter,
  EventOfType,
  EventPage,
  EventPosition,
  SiteEvent,
  SiteEventType,
  WebhookEvent,
} from './event-types.ts'
export type { ExportStream, ReadingsExport, WindowsExport } from './export.ts'
export type {
  DeprecationInfo,
  Hooks,
  PauseInfo,
  RequestInfo,
  ResponseInfo,
  RetryInfo,
} from './hooks.ts'
export { List, type Page } from './list.ts'
export type { ClientOptions } from './options.ts'
export type { RateLimit } from './pace.ts'
export { type CustomRequest, Portico, type PorticoOptions } from './portico.ts'
export type { Answer, CallOptions } from './send.ts'
export { type SentCommand, Site } from './site.ts'
export type { Site as SiteRecord } from './types.ts'
export type * from './types.ts'
export { VERSION } from './version.ts'
export type { DeliveryFilter } from './webhooks.ts'
export type { HeadersLike, VerifyOptions } from './verify-signature.ts'
export { verifyWebhook } from './verify-webhook.ts'
