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

/** Differences up to which a command is suggested for a misspelt one. */
const MAX_DISTANCE = 2

/** One line about an option that the command does not have. */
export function describeUnknownOption(option: string, command: string, known: readonly string[]): string {
  const nearest = findNearest(
    known.map((flag) => ({ word: flag, distance: editDistance(option, `--${flag}`) })),
  )
  const hint = nearest === undefined ? '; see' : `; did you mean --${nearest}? See`
  return `unknown option ${option}${hint} portico ${command} --help`
}

interface Candidate {
  word: string
  distance: number
}

const findNearest = (candidates: readonly Candidate[]): string | undefined =>
  candidates.filter(({ distance }) => distance <= MAX_DISTANCE).toSorted((a, b) => a.distance - b.distance)[0]
    ?.word

/** One line about words that are not a command. */
export function describeUnknown(words: readonly string[]): string {
  const [first = '', second] = words
  const verbs = Object.keys(CATALOGUE)
  const family = verbs.filter((verb) => verb.startsWith(`${first} `))
  if (family.length > 0 && second === undefined) return `incomplete command; use one of: ${family.join(', ')}`
  const unknown = `unknown command ${JSON.stringify(words.join(' '))}`
  const sameEnd = second === undefined ? verbs.filter((verb) => verb.endsWith(` ${first}`)) : []
  if (sameEnd.length > 1) return `${unknown}; did you mean one of: ${sameEnd.join(', ')}?`
  const given = words.slice(0, 2).join(' ')
  const nearest =
    sameEnd[0] ??
    findNearest(
      (family.length > 0 ? family : verbs)
        // The second word may be an argument: `sevre x` is compared with `serve` by its first word.
        .map((verb) => ({ word: verb, distance: editDistance(verb.includes(' ') ? given : first, verb) })),
    ) ??
    (family.length > 0 ? undefined : findNearest(compareFirstWords(first)))
  const known = family.length > 0 ? `; use one of: ${family.join(', ')}` : '; see portico --help'
  const hint = nearest ? `; did you mean ${JSON.stringify(nearest)}? See portico --help` : known
  return `${unknown}${hint}`
}

/** The first words of commands; a plural such as `devices` stands for `device list`. */
function compareFirstWords(given: string): Candidate[] {
  const families = new Set(Object.keys(CATALOGUE).map((verb) => verb.split(' ')[0] ?? verb))
  return [...families, 'help']
    .flatMap((word) => [
      ...(Object.hasOwn(CATALOGUE, `${word} list`) ? [{ word: `${word} list`, compared: `${word}s` }] : []),
      { word, compared: word },
    ])
    .map(({ word, compared }) => ({ word, distance: editDistance(given, compared) }))
    .filter(({ word, distance }) => distance < word.length / 2)
}

/** Levenshtein distance. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries()) {
      const replaced = at(row, j) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, at(row, j + 1) + 1, at(next, j) + 1))
    }
    row = next
  }
  return at(row, b.length)
}
