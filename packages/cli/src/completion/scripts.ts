import { toShellWord } from '@portico/server/kernel/shell'
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

const isFamily = ([first, group]: [string, CompletedVerb[]]): boolean =>
  group.some(({ name }) => name !== first)

const writeBash: Script = (verbs) => {
  const groups = [...groupByFirst(verbs)]
  const firsts = groups.map(([first]) => first).join(' ')
  const seconds = groups
    .filter(isFamily)
    .map(([first, group]) => `    ${first}) words="${group.map(secondWord).join(' ')}" ;;`)
  const options = verbs.map(
    (verb) => `      ${toShellWord(verb.name)}) words="${flags(verb)}" values="${verb.values.join(' ')}" ;;`,
  )
  const choices = verbs.flatMap((verb) =>
    verb.options
      .filter((option) => option.choices.length > 0)
      .map(
        (option) =>
          `    ${toShellWord(`${verb.name} --${option.name}`)}) values="${option.choices.join(' ')}" ;;`,
      ),
  )
  return `# bash completion for portico: source <(portico completion bash)
_portico_seconds() {
  case "$1" in
${seconds.join('\n')}
  esac
}
_portico() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" first="\${COMP_WORDS[1]}"
  local words="" values="" verb
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "help ${firsts}" -- "$current"))
    return
  fi
  if [ "$first" = help ]; then
    compopt +o default 2>/dev/null
    [ "$COMP_CWORD" -eq 2 ] && words="${firsts}"
    [ "$COMP_CWORD" -eq 3 ] && _portico_seconds "\${COMP_WORDS[2]}"
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -eq 2 ]; then
    _portico_seconds "$first"
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
  # bash splits --option=value into three words.
  if [ "$current" = = ]; then
    current=""
  elif [ "$previous" = = ]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "$verb $previous" in
${choices.join('\n')}
  esac
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

const zshOption = ({ name, help, hasValue, choices }: CompletedOption): string => {
  const action = choices.length > 0 ? `(${choices.join(' ')})` : '_files'
  return toShellWord(`*--${name}[${zshText(help)}]${hasValue ? `:${name}:${action}` : ''}`)
}

const writeZsh: Script = (verbs) => {
  const groups = [...groupByFirst(verbs)]
  const describe = (entries: [string, string][]): string =>
    entries.map(([word, text]) => toShellWord(`${word}:${zshText(text)}`)).join(' ')
  const seconds = groups
    .filter(isFamily)
    .map(
      ([first, group]) =>
        `    ${first}) entries=(${describe(group.map((verb) => [secondWord(verb), verb.summary]))}) ;;`,
    )
  const options = verbs.map((verb) => {
    const argument =
      verb.values.length > 0
        ? toShellWord(`1:value:(${verb.values.join(' ')})`)
        : toShellWord('*:file:_files')
    return `    ${toShellWord(verb.name)}) _arguments ${verb.options.map(zshOption).join(' ')} ${argument} ;;`
  })
  const firsts = describe(groups.map(([first, group]) => [first, toSummary(first, group)]))
  return `#compdef portico
# zsh completion for portico: portico completion zsh > a file _portico in a folder of $fpath
_portico_seconds() {
  case "$1" in
${seconds.join('\n')}
  esac
}
_portico() {
  local -a entries
  local first="\${words[2]}" verb skip
  if (( CURRENT == 2 )); then
    entries=('help:describe a command' ${firsts})
  elif [[ "$first" == help ]]; then
    (( CURRENT == 3 )) && entries=(${firsts})
    (( CURRENT == 4 )) && _portico_seconds "\${words[3]}"
  elif (( CURRENT == 3 )); then
    _portico_seconds "$first"
  fi
  if (( \${#entries} )); then
    _describe command entries
    return
  fi
  case "$first" in
    ${groups
      .filter(isFamily)
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
    const own = `complete -c portico -n '__portico_is; or __portico_is help' -f -a ${first} -d ${toShellWord(toSummary(first, group))}`
    const words = isFamily([first, group])
      ? group.map(
          (verb) =>
            `complete -c portico -n '__portico_is ${first}; or __portico_is help ${first}' -f -a ${secondWord(verb)} -d ${toShellWord(verb.summary)}`,
        )
      : []
    return [own, ...words, ...group.flatMap(fishOptions)]
  })
  return `# fish completion for portico: portico completion fish | source
# Whether these are all words before the cursor.
function __portico_is
    set -l words (commandline -opc)
    set -e words[1]
    test "$words" = "$argv"
end
# Whether the words before the cursor begin with these.
function __portico_in
    set -l words (commandline -opc)
    set -e words[1]
    set -l count (count $argv)
    test "$words[1..$count]" = "$argv"
end
complete -c portico -n __portico_is -f -a help -d 'describe a command'
complete -c portico -n '__portico_in help' -f
${lines.join('\n')}
`
}

function fishOptions({ name: verb, options, values }: CompletedVerb): string[] {
  const after = `complete -c portico -n '__portico_in ${verb}'`
  return [
    ...options.map(({ name, help, hasValue, choices }) => {
      const value = choices.length > 0 ? ` -x -a ${toShellWord(choices.join(' '))}` : hasValue ? ' -r' : ''
      return `${after} -l ${name}${value} -d ${toShellWord(help)}`
    }),
    ...(values.length > 0 ? [`${after} -f -a ${toShellWord(values.join(' '))}`] : []),
  ]
}

/** The completion script of each shell. */
export const SHELLS: Record<string, Script> = { bash: writeBash, zsh: writeZsh, fish: writeFish }
