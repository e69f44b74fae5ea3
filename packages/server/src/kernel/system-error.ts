/** The code of an error of the operating system, such as `ENOENT`; undefined for any other error. */
export const getSystemErrorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
