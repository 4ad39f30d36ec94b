/** Telling an authorization server that tokens are not needed any more (RFC 7009). */
import type { FetchLike } from '@modelcontextprotocol/client'
import { selectClientAuthMethod } from '@modelcontextprotocol/client'
import { loadPackage } from '../../../platform/load-package.ts'
import type { OAuthClient, Grant } from './rules.ts'

/** Whether it took them back. It may be gone, or know of no such thing: what is forgotten here is forgotten anyway. */
export type Revoke = (grant: Grant, client: OAuthClient) => Promise<boolean>

export const createRevocation =
  (fetchFn: FetchLike): Revoke =>
  async ({ endpoints, accessToken, refreshToken }, client) => {
    const { issuer, revocation_endpoint, token_endpoint_auth_methods_supported: methods = [] } = endpoints
    if (revocation_endpoint === undefined) return false
    const openid = loadPackage('openid-client')
    const how = {
      none: openid.None,
      client_secret_post: openid.ClientSecretPost,
      client_secret_basic: openid.ClientSecretBasic,
    }
    const authentication = how[selectClientAuthMethod(client, methods)](client.client_secret)
    const server = { issuer, revocation_endpoint }
    const config = new openid.Configuration(server, client.client_id, undefined, authentication)
    // The gate decides where plain http may go; the library would refuse it everywhere.
    openid.allowInsecureRequests(config)
    config[openid.customFetch] = (address, { method, headers, body, signal }) =>
      fetchFn(address, { method, headers, ...(body === undefined ? {} : { body }), ...(signal ? { signal } : {}) })
    const tell = async (token: string, kind: 'refresh_token' | 'access_token'): Promise<boolean> =>
      await openid.tokenRevocation(config, token, { token_type_hint: kind }).then(
        () => true,
        // Best effort: nothing of it is used any more from here on.
        () => false,
      )
    if (refreshToken === null) return await tell(accessToken, 'access_token')
    // Whoever takes back the one ends the other too; some know no access tokens, as those prove themselves.
    const isTold = await tell(refreshToken, 'refresh_token')
    if (isTold) await tell(accessToken, 'access_token')
    return isTold
  }
