import assert from 'node:assert/strict'

export type Language = 'curl' | 'typescript' | 'python'

/** The quickstart's code in one language, one snippet per call. */
export function parseSnippets(page: string, language: Language): string[] {
  const blocks = page.matchAll(new RegExp(`<div class="in-${language}">.*?<code>(.*?)</code>`, 'gs'))
  const snippets = [...blocks].map(([, code = '']) => toText(code))
  const calls = 'token, sites, spaces, one series, many series, pages, control, events, errors'
  assert.equal(snippets.length, 9, calls)
  return snippets
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

export function toText(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&([^;]+);/g, (whole, name: string) => entities[name] ?? whole)
}
