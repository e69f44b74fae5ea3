/** Prints what the server is doing until it is ready; only on a terminal. Lines, because the log prints lines too. */
export const createStartupProgress =
  (print: (text: string) => void): ((step: string) => void) =>
  (step) => {
    if (process.stdout.isTTY) print(`Starting: ${step} …\n`)
  }
