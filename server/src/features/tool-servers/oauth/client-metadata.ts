/** The document that stands at a client's id, and what a registration says (OAuth Client ID Metadata Document). */
export const clientMetadata = (redirectUrl: string) => ({
  client_name: 'Atrium',
  client_uri: new URL(redirectUrl).origin,
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  application_type: 'web',
})
