import { invalidField } from '../../../kernel/errors.ts'

const MAX_LENGTH = 200

const isControl = (char: string): boolean => char < ' ' || char === '\u007f'

/** A name is one line of text, so that lists, tables and logs can show it. */
export function checkName(name: string): string {
  if (name.trim() === '' || name.length > MAX_LENGTH || name.split('').some(isControl)) {
    throw invalidField('name', 'malformed', `must be one line of 1 to ${MAX_LENGTH} characters`)
  }
  return name
}
