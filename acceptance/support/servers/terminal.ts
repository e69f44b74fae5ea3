import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { databaseFor } from './backend.ts'
import { hasExited } from './child.ts'
import { commandPath } from './command.ts'
import { killAtExit } from './kill-at-exit.ts'
import { systemPython } from './test-tools.ts'

/** Runs a command on a pseudo-terminal, forwards its input and output, and signals; exits with its code. */
const BRIDGE = `
import fcntl, os, pty, signal, struct, sys, select, termios
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 50, 200, 0, 0))
for name in (signal.SIGTERM, signal.SIGINT):
    signal.signal(name, lambda number, frame: os.kill(pid, number))
inputs = [terminal, 0]
while True:
    ready, _, _ = select.select(inputs, [], [])
    if terminal in ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        os.write(1, data)
    if 0 in ready:
        data = os.read(0, 65536)
        if data:
            os.write(terminal, data)
        else:
            inputs.remove(0)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
`

export interface TerminalCommand {
  /** Everything that the terminal has shown. */
  output(): string
  /** Types on the keyboard. */
  type(text: string): void
  kill(signal: NodeJS.Signals): void
  ended: Promise<number | null>
  stop(): Promise<void>
}

/** Starts a `portico` command on a terminal. */
export async function startOnTerminal(
  args: string[],
  dataDir: string,
  env: Record<string, string> = {},
): Promise<TerminalCommand> {
  const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', METRICS_PORT: '0' }
  const child: ChildProcess = killAtExit(
    spawn(systemPython, ['-c', BRIDGE, process.execPath, commandPath(), ...args, '--data', dataDir], {
      cwd: tmpdir(),
      env: { ...inherited, TERM: 'xterm', ...(await databaseFor(dataDir)), ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  let written = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk
  })
  const ended = once(child, 'close').then(() => child.exitCode)
  return {
    output: () => written,
    type: (text) => void child.stdin?.write(text),
    kill: (signal) => void child.kill(signal),
    ended,
    async stop() {
      if (!hasExited(child)) child.kill('SIGTERM')
      await ended
    },
  }
}
