/** Colours of the custom properties of charts.css, resolved for the canvas, which does not follow CSS. */
export interface Theme {
  tone: string
  /** Fill of estimated bars. */
  light: string
  /** Fill of estimated and partial bars that are too small for an outline. */
  faint: string
  band: string
  previous: string
  hatch: string
  suspect: string
  paper: string
  ink: string
  quiet: string
  line: string
  fontFamily: string
}

const PROPERTIES = {
  tone: '--chart-tone',
  light: '--chart-light',
  faint: '--chart-faint',
  band: '--chart-band',
  previous: '--chart-previous',
  hatch: '--chart-hatch',
  suspect: '--chart-suspect',
  paper: '--chart-paper',
  ink: '--ink',
  quiet: '--chart-text',
  line: '--chart-grid',
} as const

/** `host` holds an element for the time of the call: the value of a custom property would still be `light-dark(…)`. */
export function readTheme(host: HTMLElement): Theme {
  const probe = document.createElement('span')
  probe.className = 'chart-probe'
  host.append(probe)
  const style = getComputedStyle(probe)
  const colors = Object.entries(PROPERTIES).map(([name, property]) => {
    probe.style.color = `var(${property})`
    return [name, style.color]
  })
  const { fontFamily } = style
  probe.remove()
  return { ...(Object.fromEntries(colors) as Omit<Theme, 'fontFamily'>), fontFamily }
}

/** Calls back when the colour scheme or forced colours change. Returns a function that ends it. */
export function watchTheme(onChange: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)'].map(
    (text) => matchMedia(text),
  )
  for (const query of queries) query.addEventListener('change', onChange)
  return () => {
    for (const query of queries) query.removeEventListener('change', onChange)
  }
}
