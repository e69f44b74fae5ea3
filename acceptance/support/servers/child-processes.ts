import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
// The test runner ends a file that takes too long with SIGTERM, which by itself runs no exit listener.
process.once('SIGTERM', () => process.exit(1))

/** Kills a child process when the test file ends before it does: a failed test must not leave a server behind. */
export function killAtExit<Child extends ChildProcess>(child: Child): Child {
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}
