/** The text as one word of a command for bash, zsh or fish; quoted only if necessary. */
export const toShellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
