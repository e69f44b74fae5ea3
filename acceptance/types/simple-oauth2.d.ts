/** The package ships no types; this is the part the suite uses. */
declare module 'simple-oauth2' {
  export class ClientCredentials {
    constructor(settings: {
      client: { id: string; secret: string }
      auth: { tokenHost: string; tokenPath: string }
      options: { authorizationMethod: 'header' | 'body' }
    })
    getToken(parameters: { scope: string }): Promise<{ token: { access_token: string } }>
  }
}
