/**
 * Settings that stop a server's clock. Sliding windows do not move then, so every count is exact, however slow the
 * machine is.
 */
export const stoppedClock = (at = Date.now()): Record<string, string> => ({
  NODE_OPTIONS: `--import=${import.meta.resolve('./clock-frozen.ts')}`,
  FROZEN_AT: String(at),
})
