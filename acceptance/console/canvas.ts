import type { Locator } from 'playwright-core'

export type Colour = [red: number, green: number, blue: number]

/** The pixels of a chart, addressed by the plot inside its axes. */
export interface Picture {
  /** The pixel at a share of the plot's width and at a share of its height above the bottom. */
  at: (x: number, y: number) => Colour
  /** All pixels at a share of the height, from left to right. */
  row: (y: number) => Colour[]
  /** All pixels at a share of the width, from top to bottom. */
  column: (x: number) => Colour[]
  /** Width of a CSS pixel as a share of the plot. */
  px: [x: number, y: number]
  /** Every pixel, to tell whether anything changed. */
  bytes: string
}

interface Raw {
  width: number
  height: number
  data: string
  plot: [left: number, top: number, width: number, height: number]
  ratio: number
}

/** Reads the canvas of a chart on a page with the given background. */
export async function readPicture(chart: Locator, background: Colour): Promise<Picture> {
  const raw = await chart.locator('canvas').evaluate((canvas: HTMLCanvasElement): Raw => {
    const over = canvas.parentElement?.querySelector<HTMLElement>('.u-over')
    const context = canvas.getContext('2d')
    if (!over || !context) throw new Error('There is no plot')
    const { width, height } = canvas
    const ratio = width / canvas.clientWidth
    const { data } = context.getImageData(0, 0, width, height)
    const plot = [over.offsetLeft, over.offsetTop, over.offsetWidth, over.offsetHeight].map(
      (px) => px * ratio,
    )
    return { width, height, data: new Uint8Array(data.buffer).toBase64(), plot: plot as Raw['plot'], ratio }
  })
  const bytes = Buffer.from(raw.data, 'base64')
  const [left, top, width, height] = raw.plot
  const read = (x: number, y: number): Colour => {
    const offset = (Math.round(y) * raw.width + Math.round(x)) * 4
    const alpha = bytes.readUInt8(offset + 3) / 255
    return background.map((base, channel) =>
      Math.round(bytes.readUInt8(offset + channel) * alpha + base * (1 - alpha)),
    ) as Colour
  }
  const toX = (share: number): number => left + share * width
  const toY = (share: number): number => top + (1 - share) * height
  return {
    at: (x, y) => read(toX(x), toY(y)),
    row: (y) => Array.from({ length: Math.round(width) }, (_, x) => read(left + x, toY(y))),
    column: (x) => Array.from({ length: Math.round(height) }, (_, y) => read(toX(x), top + y)),
    px: [raw.ratio / width, raw.ratio / height],
    bytes: raw.data,
  }
}

export const parseColour = (hex: string): Colour =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Colour

/** Antialiasing and colour mixing round differently. */
export const isNear = (a: Colour, b: Colour): boolean =>
  a.every((value, index) => Math.abs(value - (b[index] ?? 0)) <= 6)
