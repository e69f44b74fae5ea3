/** A broker's address, with the credentials separate from the URL. */
export interface BrokerAddress {
  /** Without credentials, so that it can be logged. */
  url: string
  username: string | undefined
  password: string | undefined
}

export function parseBrokerAddress(text: string): BrokerAddress {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  return {
    url: url.href,
    username: username === '' ? undefined : decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
  }
}
