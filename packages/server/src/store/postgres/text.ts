/** PostgreSQL cannot store a zero byte in a text, so a search for such a text finds nothing. */
export const canBeStored = (text: string): boolean => !text.includes('\0')
