import { Marked, type RendererObject, type Tokens } from 'marked'
import { at } from '../../../kernel/at.ts'
import { Html, html } from '../html.ts'
import { codeBlock } from '../quickstart/code-block.ts'

/** The fragment that GitHub gives a heading: links between the documents use it. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

type Cell = Tokens.TableCell

/** On a phone, where the header is hidden, cells after the first of a wide table begin with that of their column. */
const toLabel = ({ text }: Cell, index: number, { length }: readonly Cell[]): string =>
  length > 2 && index > 0 ? html` data-label="${text.replaceAll('`', '')}"`.text : ''

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
    const inline = ({ tokens }: Cell): string => this.parser.parseInline(tokens)
    const labels = token.header.map(toLabel)
    const toRow = (row: Cell[]): string =>
      `<tr>${row.map((cell, index) => `<td${at(labels, index)}>${inline(cell)}</td>`).join('')}</tr>`
    const rows = token.rows.map(toRow).join('\n')
    const head = `<thead><tr>${token.header.map((cell) => `<th>${inline(cell)}</th>`).join('')}</tr></thead>`
    return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>\n${rows}</tbody></table></div>\n`
  },
  // The documents contain no HTML: anything that looks like a tag is text.
  html: ({ text }) => html`${text}`.text,
}

const marked = new Marked({ gfm: true, renderer })

/** Renders one of the documents of this repository. */
export const renderMarkdown = (markdown: string): Html => new Html(marked.parse(markdown, { async: false }))
