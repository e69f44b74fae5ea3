/** PostgreSQL keeps no zero byte in a text: whoever looks for one will find nothing. */
export const canBeStored = (text: string): boolean => !text.includes('\0')
