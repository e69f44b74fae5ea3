import type { CompletedOption, CompletedVerb } from './words.ts'

type Script = (verbs: readonly CompletedVerb[]) => string

/** First words of commands, each with its second words. */
function groupByFirst(verbs: readonly CompletedVerb[]): Map<string, CompletedVerb[]> {
  return Map.groupBy(verbs, ({ name }) => name.split(' ')[0] ?? name)
}

const secondWord = ({ name }: CompletedVerb): string => name.split(' ')[1] ?? ''

const flags = ({ options }: CompletedVerb): string => options.map(({ name }) => `--${name}`).join(' ')

const toSummary = (first: string, group: readonly CompletedVerb[]): string =>
  group.length === 1 && group[0]?.name === first ? group[0].summary : group.map(secondWord).join(', ')

/** The text inside single quotes; all three shells end the quotes for a quote inside. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const writeBash: Script = (verbs) => {
  const groups = [...groupByFirst(verbs)]
  const seconds = groups
    .filter(([first, group]) => group.some(({ name }) => name !== first))
    .map(([first, group]) => `      ${first}) words="${group.map(secondWord).join(' ')}" ;;`)
  const options = verbs.map(
    (verb) =>
      `    ${verb.name.includes(' ') ? quoted(verb.name) : verb.name}) words="${flags(verb)}" values="${verb.values.join(' ')}" ;;`,
  )
  return `# bash completion for portico: source <(portico completion bash)
_portico() {
  local current="\${COMP_WORDS[COMP_CWORD]}" first="\${COMP_WORDS[1]}" words="" values="" verb
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "help ${groups.map(([first]) => first).join(' ')}" -- "$current"))
    return
  fi
  if [ "$first" = help ] && [ "$COMP_CWORD" -eq 2 ]; then
    COMPREPLY=($(compgen -W "${groups.map(([first]) => first).join(' ')}" -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -eq 2 ]; then
    case "$first" in
${seconds.join('\n')}
    esac
    if [ -n "$words" ]; then
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      return
    fi
  fi
  for verb in "$first \${COMP_WORDS[2]}" "$first"; do
    case "$verb" in
${options.join('\n')}
    esac
    [ -n "$words" ] && break
  done
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$values" -- "$current")) ;;
  esac
}
complete -o default -F _portico portico
`
}

/** In _arguments, a colon ends the description and brackets enclose it. */
const zshText = (text: string): string => text.replaceAll(/[:[\]\\]/g, (char) => `\\${char}`)

const zshOption = ({ name, help, hasValue }: CompletedOption): string =>
  quoted(`*--${name}[${zshText(help)}]${hasValue ? `:${name}:_files` : ''}`)

const writeZsh: Script = (verbs) => {
  const groups = [...groupByFirst(verbs)]
  const describe = (entries: [string, string][]): string =>
    entries.map(([word, text]) => quoted(`${word}:${zshText(text)}`)).join(' ')
  const seconds = groups
    .filter(([first, group]) => group.some(({ name }) => name !== first))
    .map(
      ([first, group]) =>
        `      ${first}) entries=(${describe(group.map((verb) => [secondWord(verb), verb.summary]))}) ;;`,
    )
  const options = verbs.map((verb) => {
    const argument =
      verb.values.length > 0 ? quoted(`1:value:(${verb.values.join(' ')})`) : quoted('*:file:_files')
    return `    ${quoted(verb.name)}) _arguments ${verb.options.map(zshOption).join(' ')} ${argument} ;;`
  })
  return `#compdef portico
# zsh completion for portico: portico completion zsh > a file _portico in a folder of $fpath
_portico() {
  local -a entries
  local first="\${words[2]}" verb skip
  if (( CURRENT == 2 )); then
    entries=('help:describe a command' ${describe(groups.map(([first, group]) => [first, toSummary(first, group)]))})
    _describe command entries
    return
  fi
  if (( CURRENT == 3 )); then
    case "$first" in
      help) entries=(${describe(groups.map(([first, group]) => [first, toSummary(first, group)]))}) ;;
${seconds.join('\n')}
    esac
    if (( \${#entries} )); then
      _describe command entries
      return
    fi
  fi
  case "$first" in
    ${groups
      .filter(([first, group]) => group.some(({ name }) => name !== first))
      .map(([first]) => first)
      .join('|')}) verb="$first \${words[3]}" skip=2 ;;
    *) verb="$first" skip=1 ;;
  esac
  shift $skip words
  (( CURRENT -= skip ))
  case "$verb" in
${options.join('\n')}
  esac
}
if [ "\${funcstack[1]}" = _portico ]; then _portico "$@"; else compdef _portico portico; fi
`
}

const writeFish: Script = (verbs) => {
  const groups = [...groupByFirst(verbs)]
  const lines = groups.flatMap(([first, group]) => {
    const isFamily = group.some(({ name }) => name !== first)
    const own = `complete -c portico -n __fish_use_subcommand -f -a ${first} -d ${quoted(toSummary(first, group))}`
    const others = group.map(secondWord).join(' ')
    const words = isFamily
      ? group.map(
          (verb) =>
            `complete -c portico -n ${quoted(`__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${others}`)} -f -a ${secondWord(verb)} -d ${quoted(verb.summary)}`,
        )
      : []
    return [own, ...words, ...group.flatMap((verb) => fishOptions(first, verb))]
  })
  return `# fish completion for portico: portico completion fish | source
complete -c portico -n __fish_use_subcommand -f -a help -d 'describe a command'
${lines.join('\n')}
`
}

function fishOptions(first: string, verb: CompletedVerb): string[] {
  const second = secondWord(verb)
  const seen = `__fish_seen_subcommand_from ${first}${second === '' ? '' : `; and __fish_seen_subcommand_from ${second}`}`
  return [
    ...verb.options.map(
      ({ name, help, hasValue }) =>
        `complete -c portico -n ${quoted(seen)} -l ${name}${hasValue ? ' -r' : ''} -d ${quoted(help)}`,
    ),
    ...(verb.values.length > 0
      ? [`complete -c portico -n ${quoted(seen)} -f -a ${quoted(verb.values.join(' '))}`]
      : []),
  ]
}

/** The completion script of each shell. */
export const SHELLS: Record<string, Script> = { bash: writeBash, zsh: writeZsh, fish: writeFish }
