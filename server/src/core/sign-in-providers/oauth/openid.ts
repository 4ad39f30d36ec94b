import { loadPackage } from '../../../platform/load-package.ts'

/** The library for OAuth 2.0 and OpenID Connect, which a server without such providers never needs. */
export const loadOpenid = () => loadPackage('openid-client')
