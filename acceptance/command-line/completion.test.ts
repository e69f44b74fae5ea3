import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'
import { skipWithout, systemPython, testTools } from '../support/servers/test-tools.ts'

const folder = await makeTempDir()
after(() => rm(folder, { recursive: true, force: true }))

before(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const result = await runPortico(['completion', shell])
    assert.equal(result.code, 0, result.stderr)
    await mkdir(join(folder, shell))
    await writeFile(join(folder, shell, '_portico'), result.stdout)
  }
})

const run = (program: string, args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', cwd: folder, env: { ...process.env, HOME: folder } })

/** What Tab offers after a line, in each shell. */
const complete: Record<string, (line: string) => string[]> = {
  bash(line) {
    const words = line.split(' ')
    const script = `. bash/_portico
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_portico; printf '%s\\n' "\${COMPREPLY[@]}"`
    return run('bash', ['--norc', '-c', script]).split('\n').filter(Boolean)
  },
  fish(line) {
    const script = `source fish/_portico; complete -C '${line}'`
    return run('fish', ['--no-config', '-c', script])
      .split('\n')
      .filter(Boolean)
      .map((offer) => offer.split('\t')[0] ?? offer)
  },
  /** The completion system of zsh needs an interactive shell on a terminal. */
  zsh(line) {
    const shown = run(systemPython, ['-c', ZSH, join(folder, 'zsh'), line])
    return shown.split(/\s+/).filter(Boolean)
  },
}

/** Types a line and Tab into zsh, lists the matches, and prints what zsh shows between two marks. */
const ZSH = `
import os, pty, select, sys
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM='dumb', PS1='', COLUMNS='200')
    os.execvp('zsh', ['zsh', '-f', '-i'])
import fcntl, struct, termios
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 200, 200, 0, 0))
shown = ''
def until(mark):
    global shown
    while mark not in shown:
        ready, _, _ = select.select([terminal], [], [], 120)
        if not ready:
            sys.exit('zsh shows: ' + shown)
        shown += os.read(terminal, 65536).decode('utf8', 'replace')
def send(text):
    os.write(terminal, text.encode())
send('fpath=(%s $fpath); autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste; ' % sys.argv[1])
send('LISTMAX=0; setopt no_always_last_prompt; zstyle ":completion:*" verbose no; ')
send('zle -C list-only list-choices _main_complete; ')
send('list-and-mark() { zle list-only; zle -M ""; zle -I; print -r -- "offers=\${(j. .)compoffers}"; print DONE-MARK }; ')
send('compadd() { if [[ " $* " != *" -O "* && " $* " != *" -A "* && " $* " != *" -D "* ]]; then builtin compadd -O found "$@"; compoffers+=($found); fi; builtin compadd "$@" }; ')
send('zle -N list-and-mark; bindkey "^T" list-and-mark; print READY-"MARK"\\n')
until('READY-MARK')
shown = ''
send(sys.argv[2] + chr(20))
until('DONE-MARK')
for row in shown.replace(chr(13), '').split('\\n'):
    if row.startswith('offers='):
        print(row[len('offers='):])
os.kill(pid, 9)
`

for (const shell of ['bash', 'fish', 'zsh'] as const) {
  describe(`completion in ${shell}`, { skip: skipWithout(testTools.shells) }, () => {
    const offers = (line: string): string[] => complete[shell]?.(line) ?? []

    test('offers commands', () => {
      const found = offers('portico s')
      assert.ok(found.includes('serve') && found.includes('site') && found.includes('secret'), String(found))
    })

    test('offers the second words of a command', () => {
      const found = offers('portico partner ')
      for (const word of ['add', 'list', 'show', 'grant', 'revoke'])
        assert.ok(found.includes(word), String(found))
      assert.ok(!found.includes('rotate'))
    })

    test('offers the options of a command', () => {
      const found = offers('portico partner grant --')
      assert.ok(found.includes('--site') && found.includes('--url'), String(found))
      assert.ok(!found.includes('--format'))
    })

    test('offers the values of an argument', () => {
      assert.ok(offers('portico completion ').includes('fish'))
    })

    test('offers the values of an option that has a fixed set of them', () => {
      assert.ok(offers('portico partner add --role ').includes('Devices.Read'))
      assert.deepEqual(offers('portico export readings --format ').toSorted(), ['csv', 'ndjson', 'parquet'])
      assert.deepEqual(offers('portico serve --log-format ').toSorted(), ['json', 'pretty'])
      assert.ok(offers('portico serve --log-level ').includes('debug'))
    })

    test('offers commands after help, and no files', () => {
      const firsts = offers('portico help ')
      assert.ok(firsts.includes('serve') && firsts.includes('partner'), String(firsts))
      assert.ok(!firsts.some((word) => word.includes('/')), String(firsts))
      const seconds = offers('portico help partner ')
      assert.ok(seconds.includes('add') && seconds.includes('revoke'), String(seconds))
      assert.ok(!seconds.includes('rotate'))
    })

    test('offers the second words of a command at their place only', () => {
      const found = offers('portico export readings ')
      assert.ok(!found.includes('import') && !found.includes('readings'), String(found))
    })

    test('does not offer options that a command ignores', () => {
      const found = offers('portico completion --')
      assert.ok(found.includes('--help') && !found.includes('--data'), String(found))
    })
  })
}

test('an unknown shell is wrong usage', async () => {
  const result = await runPortico(['completion', 'tcsh'])
  assert.equal(result.code, 2)
  assert.match(result.stderr, /bash, zsh, fish/)
})
