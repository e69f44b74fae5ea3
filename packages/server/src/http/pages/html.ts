import { at } from '../../kernel/at.ts'

/** HTML that is safe to send: created by the `html` tag, which escapes every value that is not Html, and by `jsonText`. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (value: string): string => value.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)

type Value = Html | string | number | readonly Html[]

const render = (value: Value): string => {
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((part) => part.text).join('')
  return escapeText(String(value))
}

/** JSON inside a script element that is not run: as an escape, a `<` in a value cannot end the element. */
export const jsonText = (value: unknown): Html =>
  new Html(JSON.stringify(value).replaceAll('<', String.raw`\u003c`))

export const html = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(strings.reduce((text, part, index) => text + render(at(values, index - 1)) + part))
