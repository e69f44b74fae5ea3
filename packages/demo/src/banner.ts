/** Text to copy from, printed when the demo has started. */
export const banner = (publicUrl: string, file: string): string => `
Portico is ready at ${publicUrl}

The demo's credentials are in ${file}. To see building data, paste:

  set -a; . ${file}; set +a
  TOKEN=$(curl -s "$AUTH_URL/oauth2/v2.0/token" -d grant_type=client_credentials -d client_id=$CLIENT_ID \\
    -d client_secret=$CLIENT_SECRET -d scope=api://$CLIENT_ID/.default | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -H "Authorization: Bearer $TOKEN" -H "SiteId: $SITE_ID" "$BASE_URL/spaces?limit=3"

`
