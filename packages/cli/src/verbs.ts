import { at } from '@portico/server/kernel/at'
import { CATALOGUE } from './catalogue.ts'

/** Finds commands of one word (`serve`) and of two (`partner add`). */
export function findVerb(args: readonly string[]): { name: string | undefined; rest: string[] } {
  const [first = '', second = ''] = args
  if (Object.hasOwn(CATALOGUE, `${first} ${second}`))
    return { name: `${first} ${second}`, rest: args.slice(2) }
  if (Object.hasOwn(CATALOGUE, first)) return { name: first, rest: args.slice(1) }
  return { name: undefined, rest: [...args] }
}

/** Typing errors up to which a command is suggested for a misspelt one. */
const MAX_ERRORS = 2

/** One line about an option that the command does not have. */
export function describeUnknownOption(option: string, command: string, known: readonly string[]): string {
  const nearest = findNearest(option.slice(2).toLowerCase(), known.map(toCandidate))
  const hint = nearest === undefined ? '; see' : `; did you mean --${nearest}? See`
  return `unknown option ${option}${hint} portico ${command} --help`
}

interface Candidate {
  suggested: string
  /** What the given words are compared with. */
  text: string
}

const toCandidate = (text: string): Candidate => ({ suggested: text, text })

/** The suggestion with the fewest typing errors, if there is one with few enough. */
function findNearest(given: string, candidates: readonly Candidate[]): string | undefined {
  const close = candidates.flatMap(({ suggested, text }) => {
    const errors = countErrors(given, text)
    return errors === undefined ? [] : [{ suggested, errors }]
  })
  return close.toSorted((a, b) => a.errors - b.errors)[0]?.suggested
}

/** The typing errors in `given`; undefined if they are too many for one of its words: one for every three letters. */
function countErrors(given: string, meant: string): number | undefined {
  const words = given.split(' ')
  const meantWords = meant.split(' ')
  if (words.length !== meantWords.length) return undefined
  const errors = meantWords.map((word, index) => editDistance(words[index] ?? '', word))
  const total = errors.reduce((sum, one) => sum + one, 0)
  const isClose = errors.every((count, index) => count <= (meantWords[index] ?? '').length / 3)
  return isClose && total <= MAX_ERRORS ? total : undefined
}

/** One line about words that are not a command. */
export function describeUnknown(words: readonly string[]): string {
  const [first = '', second] = words.map((word) => word.toLowerCase())
  const verbs = Object.keys(CATALOGUE)
  const family = verbs.filter((verb) => verb.startsWith(`${first} `))
  if (family.length > 0 && second === undefined) return `incomplete command; use one of: ${family.join(', ')}`
  const unknown = `unknown command ${JSON.stringify(words.join(' '))}`
  const sameEnd = second === undefined ? verbs.filter((verb) => verb.endsWith(` ${first}`)) : []
  if (sameEnd.length > 1) return `${unknown}; did you mean one of: ${sameEnd.join(', ')}?`
  const compared = (family.length > 0 ? family : verbs).map(toCandidate)
  const nearest =
    sameEnd[0] ??
    findNearest(words.slice(0, 2).join(' ').toLowerCase(), compared) ??
    // The second word may be an argument: `sevre x` is compared with `serve` by its first word.
    findNearest(first, compared) ??
    (family.length > 0 ? undefined : findNearest(first, listFirstWords()))
  const known = family.length > 0 ? `; use one of: ${family.join(', ')}` : '; see portico help'
  const hint = nearest ? `; did you mean ${JSON.stringify(nearest)}? See portico help` : known
  return `${unknown}${hint}`
}

/** The first words of commands; a plural such as `devices` stands for `device list`. */
function listFirstWords(): Candidate[] {
  const families = new Set(Object.keys(CATALOGUE).map((verb) => verb.split(' ')[0] ?? verb))
  return [...families, 'help'].flatMap((word) => [
    ...(Object.hasOwn(CATALOGUE, `${word} list`) ? [{ suggested: `${word} list`, text: `${word}s` }] : []),
    toCandidate(word),
  ])
}

/** Letters to insert, delete or replace, and neighbours to swap, to get from one word to the other. */
function editDistance(a: string, b: string): number {
  let previous: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries()) {
      const replaced = at(row, j) + (letter === other ? 0 : 1)
      const isSwap = i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === other
      const swapped = isSwap ? at(previous, j - 1) + 1 : replaced
      next.push(Math.min(replaced, swapped, at(row, j + 1) + 1, at(next, j) + 1))
    }
    previous = row
    row = next
  }
  return at(row, b.length)
}
