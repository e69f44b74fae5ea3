import { spawn } from 'node:child_process'

/** A database that a script started. */
interface StartedServer {
  url: string
  stop(): Promise<void>
}

/**
 * Runs the command in this process's arguments with a database, whose address it finds in a variable; one that is set already is used
 * as it is. What was started ends with the command, or with this process, which ends as the command did.
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
