import type { Section } from './benchmark.ts'

const WIDTH = 860
const LABEL_WIDTH = 440
const ROW_HEIGHT = 26
const TOP = 44
/** The target is at one third of the width; three times the target or more fills the row. */
const MOST = 3

const BAR_LEFT = LABEL_WIDTH + 12
const BAR_WIDTH = WIDTH - BAR_LEFT - 60
const x = (reach: number): number => BAR_LEFT + (Math.min(reach, MOST) / MOST) * BAR_WIDTH

// A grey that is legible on white and on black, and bars with enough contrast to both.
const STYLE = `text{font:13px system-ui,sans-serif;fill:#7d8590}.name{text-anchor:end}.head{font-weight:600}
.reached{fill:#2da44e}.missed{fill:#d4682a}line{stroke:#7d8590;stroke-dasharray:3 3}`

/** Bar chart of each result relative to its target, for the README. */
export function renderChart(sections: readonly Section[]): string {
  const rows = sections.flatMap(({ name, rows: own }) =>
    own.flatMap(({ label, ratioToTarget, value }) =>
      ratioToTarget === undefined ? [] : [{ what: `${name}: ${label}`, reach: ratioToTarget, figure: value }],
    ),
  )
  const height = TOP + rows.length * ROW_HEIGHT + 10
  const bars = rows.map(({ what, reach, figure }, index) => {
    const y = TOP + index * ROW_HEIGHT
    return [
      `<text class="name" x="${LABEL_WIDTH}" y="${y + 16}">${escape(shortened(what))}</text>`,
      `<rect class="${reach >= 1 ? 'reached' : 'missed'}" x="${BAR_LEFT}" y="${y + 3}" width="${(x(reach) - BAR_LEFT).toFixed(1)}" height="${ROW_HEIGHT - 8}" rx="3"/>`,
      `<text x="${(x(reach) + 6).toFixed(1)}" y="${y + 16}">${escape(figure.replace(/ ±.*/, ''))}</text>`,
    ].join('\n')
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Each result as a share of its target">`,
    `<style>${STYLE}</style>`,
    `<text class="head" x="${x(1)}" y="20" text-anchor="middle">target</text>`,
    `<line x1="${x(1)}" x2="${x(1)}" y1="28" y2="${height - 8}"/>`,
    ...bars,
    '</svg>\n',
  ].join('\n')
}

const LONGEST_LABEL = 58

const shortened = (text: string): string => {
  const plain = text.replaceAll('`', '')
  return plain.length > LONGEST_LABEL ? `${plain.slice(0, LONGEST_LABEL - 1)}…` : plain
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
