import { registerHooks } from 'node:module'

/** TypeScript 7 has no compiler API: generators that use it get the version that openapi-typescript depends on. */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: import.meta.url } : context),
})
