import { spawn } from 'node:child_process'

/** A database started by a script. */
interface StartedServer {
  url: string
  stop(): Promise<void>
}

/**
 * Runs the command in this process's arguments with a database, passing its URL in a variable; if the variable is
 * already set, nothing is started. The database ends with the command or with this process, which exits with the
 * command's status.
 */
export async function runWith(variable: string, start: () => Promise<StartedServer>): Promise<never> {
  const [command, ...args] = process.argv.slice(2)
  if (command === undefined) throw new Error(`usage: node ${process.argv[1]} COMMAND ARGUMENT…`)
  const given = process.env[variable]
  const started = given === undefined ? await start() : undefined
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...process.env, [variable]: given ?? started?.url },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      console.error(`${command} cannot be started: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (status) => resolve(status ?? 1))
  })
  await started?.stop()
  process.exit(code)
}
