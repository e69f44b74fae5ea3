import { html } from '../html.ts'

/** What the copy buttons do. Over plain http from another machine there is no clipboard API, but there is a selection. */
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
