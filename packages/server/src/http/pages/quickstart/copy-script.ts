import { html } from '../html.ts'

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
