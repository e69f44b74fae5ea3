const MAX_LINE = 120

/** Wraps the paragraphs and list items of a generated Markdown page; tables, headings and code stay as they are. */
export function wrapMarkdown(text: string): string {
  const wrapped: string[] = []
  let paragraph: string[] = []
  let isCode = false
  const flush = (): void => {
    if (paragraph.length > 0) wrapped.push(...wrapParagraph(paragraph.join(' ')))
    paragraph = []
  }
  for (const line of text.split('\n')) {
    const isFence = line.startsWith('```')
    if (isCode || isFence || /^(?:$|[|#!]|    )/.test(line)) {
      flush()
      wrapped.push(line)
    } else {
      if (line.startsWith('- ')) flush()
      paragraph.push(line.trim())
    }
    if (isFence) isCode = !isCode
  }
  flush()
  return wrapped.join('\n')
}

function wrapParagraph(text: string): string[] {
  const indent = text.startsWith('- ') ? '  ' : ''
  const lines: string[] = []
  let line = ''
  // A code span is not broken.
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    if (line !== '' && line.length + 1 + word.length > MAX_LINE) {
      lines.push(line)
      line = indent + word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}
