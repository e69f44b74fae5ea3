/** Messages of the sign-in page, by their code in its address. Any other code shows nothing. */
export const FLASHES = {
  wrong: 'The client ID or the secret is wrong.',
  limited: 'Too many attempts. Wait a minute, then try again.',
  link: 'This link was used already or has expired. Create another one, or sign in with a secret.',
  ended: 'Your session has ended. Sign in again.',
  'signed-out': 'You are signed out.',
} as const

export type FlashCode = keyof typeof FLASHES

export const isFlashCode = (text: string | null): text is FlashCode =>
  text !== null && Object.hasOwn(FLASHES, text)
