import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { launchBrowser, openPage, type WatchedPage } from '../pages/browser.ts'
import { eventually } from '../support/eventually.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { type Colour, isNear, parseColour, type Picture, readPicture } from './canvas.ts'
import { type ChartFixture, charts, plan, QUALITIES, year } from './chart-fixtures.ts'
import { assertAccessible } from './console-page.ts'
import { type FixturePage, serveFixturePage } from './fixture-page.ts'

const LIGHT = { paper: '#ffffff', tone: '#0b6b58', suspect: '#b54708' } as const
const DARK = { paper: '#11161b', tone: '#5cc9b0', suspect: '#f5a73b' } as const
type Palette = Record<keyof typeof LIGHT, string>

interface ShownCharts {
  charts: ChartFixture[]
  year?: typeof year
  plan?: typeof plan
}

describe('charts in a browser', { skip: skipWithout(testTools.chromium) }, () => {
  let site: FixturePage
  let browser: Browser
  let shown: ShownCharts
  before(async () => {
    site = await serveFixturePage(() => shown)
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))

  function show(titles: readonly string[]): void {
    shown =
      titles.length > 0
        ? { charts: charts.filter(({ title }) => titles.includes(title)) }
        : { charts, year, plan }
  }

  /** A page with the charts of these titles, or all, in a time zone that is far from that of the fixtures, Berlin. */
  async function open(
    titles: readonly string[] = [],
    options: BrowserContextOptions = {},
  ): Promise<WatchedPage> {
    show(titles)
    const page = await openPage(browser, site.address, { timezoneId: 'Asia/Tokyo', ...options })
    await waitForCharts(page)
    return page
  }

  const waitForCharts = (page: Page): Promise<void> =>
    page
      .locator('.chart-plot[aria-busy=false] canvas')
      .nth(shown.charts.length - 1)
      .waitFor()

  const find = (page: Page, title: string): Locator =>
    page.locator('figure', { has: page.getByText(title, { exact: true }) })
  const findPlot = (page: Page, title: string): Locator => find(page, title).getByRole('application')
  const readTime = (page: Page, title: string): Promise<string> =>
    find(page, title).locator('.chart-readout-time').innerText()

  /** Moves the mouse to a share of the width of the plot. */
  async function hover(page: Page, title: string, share: number): Promise<{ x: number; y: number }> {
    const over = find(page, title).locator('.u-over')
    await over.scrollIntoViewIfNeeded()
    const box = await over.boundingBox()
    assert.ok(box)
    const [x, y] = [box.x + share * box.width, box.y + box.height / 2]
    await page.mouse.move(x, y)
    return { x, y }
  }

  describe('what a chart says', () => {
    test('the caption is a sentence about the data', async () => {
      const page = await open(['Electricity', 'Temperature'])
      const caption = find(page, 'Electricity').locator('figcaption')
      assert.match(
        await caption.innerText(),
        /24 h: 7\.6 kWh, most between 19:00 and 20:00; 2 h missing, 3 h estimated, 1 h suspect/,
      )
      await find(page, 'Temperature').getByText('19.6 °C on average').waitFor()
      page.assertNoForeignRequests()
    })

    test('the table has every number of the answer, and the quality in words', async () => {
      const page = await open()
      for (const fixture of charts)
        assert.deepEqual(await readTable(find(page, fixture.title)), toTable(fixture))
    })

    test('the canvas is hidden from assistive technology, and the plot has a name and help', async () => {
      const page = await open(['Electricity'])
      const plot = page.getByRole('application', { name: 'Electricity, chart' })
      const canvas = plot.locator('canvas')
      assert.ok(await canvas.evaluate((element) => element.closest('[aria-hidden=true]') !== null))
      assert.match(
        await plot.evaluate((element) => {
          const help = element.getAttribute('aria-describedby') ?? ''
          return document.querySelector(`#${CSS.escape(help)}`)?.textContent ?? ''
        }),
        /Arrow keys move the cursor/,
      )
    })

    for (const [colorScheme, width] of [
      ['light', 320],
      ['dark', 1280],
    ] as const)
      test(`axe finds nothing, ${colorScheme}, ${width} px, and the page does not scroll sideways`, async () => {
        const page = await open([], { colorScheme, viewport: { width, height: 800 } })
        await findPlot(page, 'Electricity').press('End')
        for (const title of ['Electricity', 'Temperature', 'Week plan'])
          await find(page, title).getByText('As a table').click()
        await assertAccessible(page)
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
        page.assertNoForeignRequests()
      })
  })

  describe('how quality is drawn', () => {
    for (const [colorScheme, palette] of [
      ['light', LIGHT],
      ['dark', DARK],
    ] as const)
      test(`bars, ${colorScheme}`, async () => {
        const page = await open(['Every quality, bars'], { colorScheme })
        assertBars(await readPicture(find(page, 'Every quality, bars'), parseColour(palette.paper)), palette)
      })

    test('lines', async () => {
      const page = await open(['Every quality, lines'])
      const paper = parseColour(LIGHT.paper)
      const picture = await readPicture(find(page, 'Every quality, lines'), paper)
      const count = QUALITIES.length + 1
      // The axis ends at 5, and the line is at 4.
      const onLine = (from: number, to: number): Colour[] => {
        const row = picture.row(4 / 5)
        return row.slice(Math.ceil((row.length * from) / count), Math.floor((row.length * to) / count))
      }
      const blue = parseColour('#2461b4')
      const share = (pixels: Colour[]): number =>
        pixels.filter((pixel) => isNear(pixel, blue)).length / pixels.length
      assert.equal(share(onLine(2.8, 4.4)), 1, 'measured and suspect windows are connected by a solid line')
      const dashed = share(onLine(0.6, 2.2))
      assert.ok(dashed > 0.3 && dashed < 0.8, `lines to estimated windows are dashed: ${dashed}`)
      assert.ok(isNear(picture.at(2.5 / count, 4 / 5), paper), 'the point of a partial window is hollow')
      assert.ok(isNear(picture.at(2.5 / count - 4 * picture.px[0], 4 / 5), blue), 'and has an outline')
      assert.ok(
        isNear(picture.at(3.5 / count, 4 / 5 + 9 * picture.px[1]), parseColour(LIGHT.suspect)),
        'a suspect window is marked with a triangle',
      )
      assertHatched(picture, 5.25 / count, LIGHT)
      assert.ok(
        isNear(picture.at(6.5 / count, 0), blue),
        'a value between gaps is a point, also if it is zero',
      )
      assertEmpty(picture, 6.5 / count, LIGHT)
    })

    test('the legend names the qualities that occur', async () => {
      const page = await open(['Every quality, bars', 'Clocks go back'])
      assert.deepEqual(await find(page, 'Every quality, bars').locator('.chart-key').allInnerTexts(), [
        'Estimated',
        'Partial',
        'Suspect',
        'No data',
      ])
      assert.equal(await find(page, 'Clocks go back').locator('.chart-key').count(), 0)
    })
  })

  describe('days on which clocks change', () => {
    for (const [title, count, times] of [
      ['Clocks go forward', 23, ['00:00', '01:00', '03:00', '04:00']],
      ['Clocks go back', 25, ['00:00', '01:00', '02:00 (UTC+2)', '02:00 (UTC+1)', '03:00']],
    ] as const)
      test(`${count} hours: ${count} bars, with the times of the site`, async () => {
        const page = await open([title], { viewport: { width: 1900, height: 900 } })
        const chart = find(page, title)
        const tone = parseColour(title === 'Clocks go forward' ? '#98590a' : '#ad3a50')
        const picture = await readPicture(chart, parseColour(LIGHT.paper))
        const row = picture.row(0.05).map((pixel) => isNear(pixel, tone))
        assert.equal(row.filter((isTone, x) => isTone && row[x - 1] !== true).length, count)
        const rows = await readTable(chart)
        assert.equal(rows.length, count)
        const plot = findPlot(page, title)
        await plot.press('Home')
        for (const time of times) {
          const text = await readTime(page, title)
          assert.ok(text.includes(`, ${time} to `), `${text} is at ${time}`)
          await plot.press('ArrowRight')
        }
      })

    test('the axis has the hours of the site', async () => {
      show(['Clocks go forward', 'Clocks go back'])
      const context = await browser.newContext({ timezoneId: 'Asia/Tokyo' })
      const page = await context.newPage()
      await page.addInitScript(() => {
        const draw = CanvasRenderingContext2D.prototype.fillText
        CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
          this.canvas.dataset['texts'] = `${this.canvas.dataset['texts'] ?? ''}|${text}`
          draw.call(this, text, ...rest)
        }
      })
      await page.goto(site.address)
      await waitForCharts(page)
      const readAxis = async (title: string): Promise<string[]> => {
        const texts = (await find(page, title).locator('canvas').getAttribute('data-texts')) ?? ''
        return texts.split('|').filter((text) => /^\d\d:00/.test(text))
      }
      // Closer, every hour has a label.
      const zoom = async (title: string): Promise<void> => {
        for (const key of ['Home', '+', '+']) await findPlot(page, title).press(key)
      }
      await zoom('Clocks go forward')
      await eventually(async () => {
        const hours = await readAxis('Clocks go forward')
        assert.ok(
          hours.includes('01:00') && hours.includes('03:00') && !hours.includes('02:00'),
          String(hours),
        )
      })
      await zoom('Clocks go back')
      await eventually(async () => assert.ok((await readAxis('Clocks go back')).includes('02:00')))
    })
  })

  describe('keys', () => {
    test('arrows, Shift, Home and End move the cursor, and a live region says where it is', async () => {
      const page = await open(['Electricity'])
      const chart = find(page, 'Electricity')
      const plot = findPlot(page, 'Electricity')
      await plot.focus()
      const steps: [key: string, spoken: RegExp][] = [
        ['ArrowRight', /^Tue 17 Nov, 00:00 to 01:00: 0\.12 kWh$/],
        ['ArrowRight', /^Tue 17 Nov, 01:00 to 02:00: 0\.12 kWh$/],
        ['Shift+ArrowRight', /^Tue 17 Nov, 11:00 to 12:00: [\d.]+ kWh, estimated$/],
        ['End', /^Tue 17 Nov, 23:00 to 00:00: [\d.]+ kWh, partial, 40 %$/],
        ['Shift+ArrowLeft', /^Tue 17 Nov, 13:00 to 14:00/],
        ['ArrowRight', /^Tue 17 Nov, 14:00 to 15:00: [\d.]+ kWh, suspect$/],
        ['Home', /^Tue 17 Nov, 00:00 to 01:00/],
      ]
      for (const [key, spoken] of steps) {
        await plot.press(key)
        await eventually(async () => assert.match(await chart.getByRole('status').innerText(), spoken))
      }
      for (let press = 0; press < 3; press++) await plot.press('ArrowRight')
      await eventually(async () =>
        assert.match(await chart.getByRole('status').innerText(), /^Tue 17 Nov, 03:00 to 04:00: no data$/),
      )
      page.assertNoForeignRequests()
    })

    test('a held key is announced once, where it stops', async () => {
      const page = await open(['Electricity'])
      const chart = find(page, 'Electricity')
      await chart.getByRole('status').evaluate((element) => {
        new MutationObserver(() => {
          element.setAttribute('data-changes', String(Number(element.getAttribute('data-changes')) + 1))
        }).observe(element, { childList: true, characterData: true, subtree: true })
      })
      // One task: no timer of the page can run in between.
      await findPlot(page, 'Electricity').evaluate((plot: HTMLElement) => {
        for (let press = 0; press < 20; press++)
          plot.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
      })
      await eventually(async () =>
        assert.match(await chart.getByRole('status').innerText(), /19:00 to 20:00/),
      )
      assert.equal(await chart.getByRole('status').getAttribute('data-changes'), '1')
    })

    test('plus and minus zoom all charts around the cursor; Esc resets, then removes the cursor', async () => {
      const page = await open(['Electricity', 'Temperature'])
      const plot = findPlot(page, 'Electricity')
      for (const key of ['Home', 'Shift+ArrowRight', '+', '+']) await plot.press(key)
      const reset = page.getByRole('button', { name: 'Reset zoom' })
      await find(page, 'Electricity').getByRole('button', { name: 'Reset zoom' }).waitFor()
      await find(page, 'Temperature').getByRole('button', { name: 'Reset zoom' }).waitFor()
      assert.match(await readTime(page, 'Electricity'), /10:00 to 11:00/)
      await plot.press('-')
      await plot.press('Escape')
      await eventually(async () => assert.equal(await reset.count(), 0))
      assert.match(await readTime(page, 'Electricity'), /10:00 to 11:00/)
      await plot.press('Escape')
      await page.locator('.chart-readout').waitFor({ state: 'detached' })
    })

    test('Tab leaves the chart', async () => {
      const page = await open(['Electricity'])
      await findPlot(page, 'Electricity').press('End')
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'SUMMARY')
      await page.locator('.chart-readout').waitFor({ state: 'detached' })
    })
  })

  describe('the pointer', () => {
    test('charts of the same time show the same window', async () => {
      const page = await open(['Electricity', 'Temperature', 'Clocks go back'])
      await hover(page, 'Temperature', 18.6 / 24)
      await eventually(async () => assert.match(await readTime(page, 'Temperature'), /18:00 to 19:00/))
      assert.match(await readTime(page, 'Electricity'), /18:00 to 19:00/)
      // A chart of another day does not follow the cursor.
      assert.equal(await find(page, 'Clocks go back').locator('.chart-readout').count(), 0)
      await findPlot(page, 'Electricity').press('Home')
      assert.match(await readTime(page, 'Temperature'), /00:00 to 01:00/)
    })

    test('dragging zooms to whole windows; a double click resets', async () => {
      const page = await open(['Electricity', 'Temperature', 'Clocks go back'])
      const chart = find(page, 'Electricity')
      await hover(page, 'Electricity', 12.4 / 24)
      await page.mouse.down()
      await hover(page, 'Electricity', 14.4 / 24)
      const { x, y } = await hover(page, 'Electricity', 17.6 / 24)
      await page.mouse.up()
      await chart.getByRole('button', { name: 'Reset zoom' }).waitFor()
      await find(page, 'Temperature').getByRole('button', { name: 'Reset zoom' }).waitFor()
      // A chart of another day is not zoomed.
      assert.equal(await find(page, 'Clocks go back').getByRole('button', { name: 'Reset zoom' }).count(), 0)
      await hover(page, 'Electricity', 0.01)
      await eventually(async () => assert.match(await readTime(page, 'Electricity'), /12:00 to 13:00/))
      await hover(page, 'Electricity', 0.99)
      await eventually(async () => assert.match(await readTime(page, 'Electricity'), /17:00 to 18:00/))
      await page.mouse.dblclick(x, y)
      await eventually(async () =>
        assert.equal(await page.getByRole('button', { name: 'Reset zoom' }).count(), 0),
      )
    })

    test('a finger moves the cursor', async () => {
      const page = await open(['Electricity'], { hasTouch: true })
      const chart = find(page, 'Electricity')
      // Repeated: the chart may be moving while the page is laid out.
      await eventually(async () => {
        const box = await chart.locator('.u-over').boundingBox()
        assert.ok(box)
        await page.touchscreen.tap(box.x + (18.5 / 24) * box.width, box.y + 50)
        const time = await chart.locator('.chart-readout-time').innerText({ timeout: 5_000 })
        assert.match(time, /18:00 to 19:00/)
      })
    })

    test('the legend hides and shows what it names', async () => {
      const page = await open(['Temperature'])
      const chart = find(page, 'Temperature')
      const button = chart.getByRole('button', { name: 'Lowest to highest' })
      assert.equal(await button.getAttribute('aria-pressed'), 'true')
      const withBand = await readPicture(chart, parseColour(LIGHT.paper))
      await button.click()
      assert.equal(await button.getAttribute('aria-pressed'), 'false')
      await eventually(async () =>
        assert.notEqual((await readPicture(chart, parseColour(LIGHT.paper))).bytes, withBand.bytes),
      )
      assert.deepEqual(await chart.locator('.chart-legend button').allInnerTexts(), [
        'This period',
        'Lowest to highest',
        'Period before',
      ])
    })
  })

  describe('what changes around a chart', () => {
    test('it is drawn again in the colours of another scheme, and in forced colours', async () => {
      const page = await open(['Every quality, bars'], { colorScheme: 'light' })
      const chart = find(page, 'Every quality, bars')
      const readBar = async (paper: string): Promise<Colour> =>
        (await readPicture(chart, parseColour(paper))).at(0.5 / 6, 0.5)
      assert.ok(isNear(await readBar(LIGHT.paper), parseColour(LIGHT.tone)))
      await page.emulateMedia({ colorScheme: 'dark' })
      await eventually(async () => assert.ok(isNear(await readBar(DARK.paper), parseColour(DARK.tone))))
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
      await eventually(async () => {
        const colour = await readBar(LIGHT.paper)
        assert.ok(
          !isNear(colour, parseColour(LIGHT.tone)) && !isNear(colour, parseColour(DARK.tone)),
          String(colour),
        )
      })
    })

    test('it is drawn again for another size of the window and another pixel ratio', async () => {
      const page = await open(['Every quality, bars'], { viewport: { width: 1280, height: 800 } })
      const canvas = find(page, 'Every quality, bars').locator('canvas')
      const read = (): Promise<[number, number]> =>
        canvas.evaluate((element: HTMLCanvasElement) => [element.width, element.clientWidth])
      await page.setViewportSize({ width: 390, height: 800 })
      await eventually(async () => {
        const [width, cssWidth] = await read()
        assert.ok(cssWidth < 390 && width === cssWidth, `${width} of ${cssWidth}`)
      })
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setDeviceMetricsOverride', {
        // Without a change of size, the emulation does not notify the page.
        width: 400,
        height: 800,
        deviceScaleFactor: 2,
        mobile: false,
      })
      await eventually(async () => {
        const [width, cssWidth] = await read()
        assert.equal(width, 2 * cssWidth)
      })
      assertBars(await readPicture(find(page, 'Every quality, bars'), parseColour(LIGHT.paper)), LIGHT)
    })

    test('a chart that was hidden at first is drawn like any other when it is shown', async () => {
      const paper = parseColour(LIGHT.paper)
      const title = 'Every quality, bars'
      const { bytes } = await readPicture(find(await open([title]), title), paper)
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.addInitScript(() => {
        const hide = new MutationObserver(() => {
          hide.disconnect()
          document.documentElement.hidden = true
        })
        hide.observe(document, { childList: true })
      })
      await page.goto(site.address)
      await page.locator('.chart-plot[aria-busy=false] canvas').waitFor({ state: 'attached' })
      await page.evaluate(() => (document.documentElement.hidden = false))
      await eventually(async () => assert.equal((await readPicture(find(page, title), paper)).bytes, bytes))
    })

    test('new numbers of the same time do not zoom out; those of another time do', async () => {
      const page = await open(['Electricity'])
      const plot = findPlot(page, 'Electricity')
      await plot.press('Home')
      await plot.press('+')
      const reset = find(page, 'Electricity').getByRole('button', { name: 'Reset zoom' })
      await reset.waitFor()
      const refresh = (change: (answer: ChartFixture['answer']) => ChartFixture['answer']): Promise<void> => {
        shown = { charts: shown.charts.map((chart) => ({ ...chart, answer: change(chart.answer) })) }
        return page.evaluate(() => void document.dispatchEvent(new Event('refresh')))
      }
      await refresh((answer) => ({ ...answer, summary: { ...answer.summary, total: 1234 } }))
      await find(page, 'Electricity').getByText('1,234 kWh').waitFor()
      assert.equal(await reset.count(), 1)
      await hover(page, 'Electricity', 0.99)
      await eventually(async () => assert.match(await readTime(page, 'Electricity'), /11:00 to 12:00/))
      await refresh((answer) => ({ ...answer, timeSeries: answer.timeSeries.slice(1) }))
      await find(page, 'Electricity').getByText('23 h:').waitFor()
      await reset.waitFor({ state: 'detached' })
      page.assertNoForeignRequests()
    })

    test('uPlot is not part of the first script; if it cannot be loaded, the table is there', async () => {
      assert.ok(!site.script.includes('u-over'), 'the class of the plot that uPlot creates')
      show(['Electricity'])
      const context = await browser.newContext()
      await context.route('**/plot-*.js', (route) => route.abort())
      const page = await context.newPage()
      await page.goto(site.address)
      const chart = find(page, 'Electricity')
      await chart.getByText('The chart could not be loaded. The table has its numbers.').waitFor()
      await chart.getByRole('table').waitFor()
    })
  })

  describe('the calendar and the week plan', () => {
    test('the calendar has a cell for each day, and keys move between them', async () => {
      const page = await open()
      const chart = find(page, 'A year')
      assert.equal(await chart.locator('[data-index]').count(), 365)
      const calendar = page.getByRole('application', { name: 'A year, calendar' })
      await calendar.press('Home')
      assert.equal(await readTime(page, 'A year'), 'Tue 18 Nov 2025')
      await calendar.press('ArrowDown')
      assert.equal(await readTime(page, 'A year'), 'Wed 19 Nov 2025')
      await calendar.press('ArrowRight')
      await eventually(async () =>
        assert.match(await chart.getByRole('status').innerText(), /^Wed 26 Nov 2025: [\d.]+ kWh$/),
      )
      await chart.locator('[data-index="120"]').hover()
      await chart.locator('.chart-readout').getByText('no data').waitFor()
      assert.equal((await readTable(chart)).length, 365)
    })

    test('the table of the week plan has the whole week', async () => {
      const page = await open()
      const chart = find(page, 'Week plan')
      await chart.getByText('As a table').click()
      const rows = await chart.locator('tbody tr').allInnerTexts()
      assert.ok(rows.includes('Saturday\t00:00\t01:00\t18 °C'), 'the end of a period that began on Friday')
      assert.ok(rows.includes('Monday\t00:00\t06:30\t16 °C (default)'))
      assert.equal(await chart.locator('svg rect').count(), rows.length)
    })
  })
})

interface Row {
  timestamp: string
  numbers: (number | null)[]
  quality: string
}

async function readTable(chart: Locator): Promise<Row[]> {
  await chart.getByText('As a table').click()
  await chart.getByRole('table').waitFor()
  return chart.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const cells = [...row.querySelectorAll('td')]
      const numbers = cells.filter((cell) => cell.classList.contains('chart-number'))
      return {
        timestamp: row.querySelector('th[scope=row] time')?.getAttribute('datetime') ?? '',
        numbers: numbers.map((cell) => {
          const value = cell.querySelector('data')?.value
          return value === undefined ? null : Number(value)
        }),
        quality: cells.find((cell) => !numbers.includes(cell))?.textContent ?? '',
      }
    }),
  )
}

const WORDS: Record<string, string> = { measured: '', partial: 'partial, 40 %', missing: 'no data' }

function toTable({ answer, previous }: ChartFixture): Row[] {
  const hasRange = answer.timeSeries.some(({ min }) => min !== undefined)
  return answer.timeSeries.map(({ timestamp, value, min = null, max = null, quality }, index) => ({
    timestamp,
    numbers: [
      value,
      ...(hasRange ? [min, max] : []),
      ...(previous ? [previous.timeSeries[index]?.value ?? null] : []),
    ],
    quality: WORDS[quality] ?? quality,
  }))
}

/** Bars of the same height, one for each quality, then a gap and a zero. */
function assertBars(picture: Picture, palette: Palette): void {
  const [paper, tone, suspect] = [palette.paper, palette.tone, palette.suspect].map(parseColour) as [
    Colour,
    Colour,
    Colour,
  ]
  const [measured, estimated, partial, suspected, missing, zero] = QUALITIES.map(
    (_, index) => (index + 0.5) / QUALITIES.length,
  ) as [number, number, number, number, number, number]
  const isAt = (x: number, y: number, colour: Colour): boolean => isNear(picture.at(x, y), colour)
  const hasOutline = (x: number): Colour[] => picture.row(0.5).slice(...toPixels(picture, x))
  assert.ok(isAt(measured, 0.5, tone), 'measured is filled')
  const light = picture.at(estimated, 0.5)
  assert.ok(!isNear(light, tone) && !isNear(light, paper), 'estimated has a light fill')
  const edge = findEdge(picture, estimated, tone)
  const outline = picture.column(edge).map((pixel) => isNear(pixel, tone))
  assert.ok(
    outline.filter((isTone, y) => isTone && outline[y - 1] !== true).length > 5,
    'and a dashed outline',
  )
  assert.ok(isAt(partial, 0.5, paper), 'partial is hollow')
  assert.ok(
    hasOutline(partial).some((pixel) => isNear(pixel, tone)),
    'with an outline',
  )
  const solid = picture.column(findEdge(picture, partial, tone)).map((pixel) => isNear(pixel, tone))
  assert.ok(solid.slice(10, -10).every(Boolean), 'that is solid')
  assert.ok(isAt(suspected, 0.5, tone), 'suspect is filled')
  assert.ok(isAt(suspected, 1 + 8 * picture.px[1], suspect), 'and marked with a triangle')
  assertHatched(picture, missing - 0.06, palette)
  assert.ok(isAt(zero, 1.2 * picture.px[1], tone), 'zero has a bar of its own')
  assertEmpty(picture, zero, palette)
}

/** Pixels of a row that belong to a window. */
const toPixels = (picture: Picture, middle: number): [number, number] => {
  const width = picture.row(0.5).length
  return [Math.round((middle - 0.08) * width), Math.round((middle + 0.08) * width)]
}

/** Where the left outline of a bar is: dashes are at other heights than gaps. */
function findEdge(picture: Picture, middle: number, tone: Colour): number {
  const [from, to] = toPixels(picture, middle)
  for (let x = from; x < to; x++) {
    const share = (x + 0.5) / picture.row(0.5).length
    if (picture.column(share).filter((pixel) => isNear(pixel, tone)).length > 20) return share
  }
  throw new Error('The bar has no outline')
}

/** Lines of hatching cross a column again and again, from its bottom to its top. */
function assertHatched(picture: Picture, x: number, { paper }: Palette): void {
  const column = picture.column(x).map((pixel) => !isNear(pixel, parseColour(paper)))
  for (let part = 0; part < 4; part++) {
    const quarter = column.slice((part * column.length) / 4, ((part + 1) * column.length) / 4)
    const lines = quarter.filter((isDrawn, y) => isDrawn && quarter[y - 1] !== true).length
    assert.ok(lines >= 3, `hatching from bottom to top: ${lines} lines in part ${part}`)
  }
}

/** Nothing but grid lines. */
function assertEmpty(picture: Picture, x: number, { paper }: Palette): void {
  const drawn = picture.column(x).filter((pixel) => !isNear(pixel, parseColour(paper))).length
  assert.ok(drawn / picture.column(x).length < 0.1, 'no hatching')
}
