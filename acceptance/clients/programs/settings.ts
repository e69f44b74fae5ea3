/** Onboarding details of a partner, read from the environment as a partner's own program would. */
export const authUrl = fromEnvironment('AUTH_URL')
export const clientId = fromEnvironment('CLIENT_ID')
export const clientSecret = fromEnvironment('CLIENT_SECRET')

export const issuer = new URL(`${authUrl}/v2.0`)
export const tokenUrl = `${authUrl}/oauth2/v2.0/token`
export const scope = `api://${clientId}/.default`

/** Command-line arguments: they select one of the library's methods. */
export const ways = process.argv.slice(2)

function fromEnvironment(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set`)
  return value
}
