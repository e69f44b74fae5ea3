/** The state that the keyboard changes: the window at the cursor, and the first and last window in view. */
export interface View {
  cursor: number | null
  first: number
  last: number
}

export interface Key {
  key: string
  shiftKey: boolean
}

/** Zooming in further would leave nothing to compare. */
const FEWEST_WINDOWS = 4

const LARGE_STEP = 10

/** The view after a key; undefined if the key does nothing here and is left to the page. */
export function pressKey(view: View, { key, shiftKey }: Key, count: number): View | undefined {
  if (count === 0) return undefined
  const { cursor, first, last } = view
  const step = shiftKey ? LARGE_STEP : 1
  switch (key) {
    case 'ArrowLeft':
      return moveTo(view, cursor === null ? last : cursor - step, count)
    case 'ArrowRight':
      return moveTo(view, cursor === null ? first : cursor + step, count)
    case 'Home':
      return moveTo(view, 0, count)
    case 'End':
      return moveTo(view, count - 1, count)
    case '+':
    case '=':
      return zoom(view, 0.5, count)
    case '-':
    case '−':
    case '_':
      return zoom(view, 2, count)
    case 'Escape':
      if (first > 0 || last < count - 1) return { cursor, first: 0, last: count - 1 }
      return cursor === null ? undefined : { ...view, cursor: null }
    default:
      return undefined
  }
}

/** Moves the cursor and, if necessary, the visible range. */
function moveTo({ first, last }: View, target: number, count: number): View {
  const cursor = Math.min(count - 1, Math.max(0, target))
  const shift = Math.min(0, cursor - first) + Math.max(0, cursor - last)
  return { cursor, first: first + shift, last: last + shift }
}

/** Zooms around the cursor, which stays where it is on the screen as far as the range allows. */
function zoom({ cursor, first, last }: View, factor: number, count: number): View {
  const size = last - first + 1
  const newSize = Math.min(count, Math.max(Math.min(FEWEST_WINDOWS, size), Math.round(size * factor)))
  const fixed = cursor ?? (first + last) / 2
  const share = size > 1 ? (fixed - first) / (size - 1) : 0
  const newFirst = Math.min(count - newSize, Math.max(0, Math.round(fixed - share * (newSize - 1))))
  return { cursor, first: newFirst, last: newFirst + newSize - 1 }
}
