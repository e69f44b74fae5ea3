import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
// The test runner ends a file that exceeds its time limit with SIGTERM, which by default runs no exit listener.
process.once('SIGTERM', () => process.exit(1))

/** Kills a child process that is still running when the test file ends, for example after a failed test. */
export function killAtExit<Child extends ChildProcess>(child: Child): Child {
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}
