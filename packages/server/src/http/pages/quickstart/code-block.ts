import { type Html, html } from '../html.ts'

const STRING_OR_WORD =
  /("[^"\n]*"|'[^'\n]*'|`[^`\n]*`)|\b(as|async|await|break|case|const|curl|def|do|done|else|esac|except|export|for|from|function|grep|if|import|in|is|let|new|of|raise|return|sed|throw|try|type|until|while|with)\b/g

/** Code with a button that copies exactly this text. Without JavaScript there is no button. */
export const codeBlock = (code: string, label: string): Html => html`<div class="block">
<pre tabindex="0" role="group" aria-label="${label}"><code>${coloured(code)}</code></pre>
<button class="copy" type="button" hidden>Copy</button>
</div>`

/** Adds only tags; the text itself is unchanged. */
function coloured(code: string): Html[] {
  const parts: Html[] = []
  let end = 0
  for (const match of code.matchAll(STRING_OR_WORD)) {
    const [text, string] = match
    parts.push(html`${code.slice(end, match.index)}<i class="${string ? 'string' : 'word'}">${text}</i>`)
    end = match.index + text.length
  }
  return [...parts, html`${code.slice(end)}`]
}

/**
 * Script of the copy buttons. Over plain http from another machine there is no clipboard API, so it selects the text
 * instead.
 */
export const COPY_SCRIPT = html`
  for (const button of document.querySelectorAll('button.copy')) {
    const code = button.parentElement.querySelector('code')
    button.hidden = false
    button.addEventListener('click', async () => {
      if (navigator.clipboard) {
        await navigator.clipboard.writeText(code.textContent)
      } else {
        getSelection().selectAllChildren(code)
        document.execCommand('copy')
      }
      button.textContent = 'Copied'
      setTimeout(() => { button.textContent = 'Copy' }, 2000)
    })
  }
`
