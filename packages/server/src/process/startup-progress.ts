/**
 * Prints what the server is doing until it is ready, only on a terminal. Line by line, because log lines may come in
 * between.
 */
export const createStartupProgress =
  (print: (text: string) => void): ((step: string) => void) =>
  (step) => {
    if (process.stdout.isTTY) print(`Starting: ${step} …\n`)
  }
