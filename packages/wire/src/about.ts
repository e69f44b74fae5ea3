import type { TSchema } from 'typebox'

/** Description of a property whose value has a titled schema, which already has its own description. */
export const USE = 'x-use'

/** The schema that the API description shows for a parameter that is validated as text. */
export const DESCRIBED_AS = 'x-described-as'

/** What the values are that a pattern allows, to be read after “must be”. A symbol, so that no document contains it. */
export const FORM = Symbol('form')

/** One line of text. */
export const LINE = {
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
  [FORM]: 'one line of text, without control characters',
}

/** The schema with a description and examples of this use of it. Validators ignore both. */
export function about<T extends TSchema>(schema: T, description: string, ...examples: unknown[]): T {
  const annotations = { description, ...(examples.length === 0 ? {} : { examples }) }
  return annotate(schema, 'title' in schema ? { [USE]: annotations } : annotations)
}

/**
 * A copy of the schema with more keywords. TypeBox’s own properties are not enumerable, so a spread would lose them.
 */
export const annotate = <T extends TSchema>(schema: T, keywords: object): T =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(schema), ...Object.getOwnPropertyDescriptors(keywords) },
  ) as T
