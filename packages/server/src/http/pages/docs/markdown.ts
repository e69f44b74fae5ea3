import { Marked, type RendererObject } from 'marked'
import { Html, html } from '../html.ts'
import { codeBlock } from '../quickstart/code-block.ts'

/** The fragment that GitHub gives a heading: links between the documents use it. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const renderer: RendererObject = {
  heading({ tokens, depth, text }) {
    const inner = new Html(this.parser.parseInline(tokens))
    const id = toAnchor(text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', ''))
    if (depth === 1) return html`<h1>${inner}</h1>\n`.text
    return new Html(`<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner.text}</a></h${depth}>\n`)
      .text
  },
  code: ({ text, lang }) => codeBlock(text, lang ? `Code, ${lang}` : 'Code').text,
  table(token) {
    const cells = (row: typeof token.header, tag: 'th' | 'td'): string =>
      row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
    const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
    const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
    return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>\n${rows}</tbody></table></div>\n`
  },
  // The documents contain no HTML: anything that looks like a tag is text.
  html: ({ text }) => html`${text}`.text,
}

const marked = new Marked({ gfm: true, renderer })

/** Renders one of the documents of this repository. */
export const renderMarkdown = (markdown: string): Html => new Html(marked.parse(markdown, { async: false }))
