export interface Site {
  siteUuid: string
  siteName: string
  /** IANA name, such as Europe/London. */
  timeZone: string
  sandbox: boolean
}
