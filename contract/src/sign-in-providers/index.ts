/** Signing in with an account that somebody has elsewhere: OAuth and OpenID providers, and LDAP directories. */
import { area } from '../area.ts'
import { signInProvidersDescription } from './area.ts'
import { ExternalProvider, Identity, IdentityProvider, Trial } from './external.ts'
import { LdapDraft, LdapSettings, LdapTrial } from './ldap.ts'
import { external } from './external.ts'
import { ldap } from './ldap.ts'

export {
  ExternalProvider,
  externalReasons,
  type ExternalReason,
  Identity,
  IdentityProvider,
  providerKinds,
  Trial,
} from './external.ts'
export { LdapDraft, LdapSettings, LdapTrial, ldapSteps } from './ldap.ts'

export const signInProvidersRoutes = { ...external, ...ldap } as const

export const signInProvidersArea = area(signInProvidersDescription, {
  routes: signInProvidersRoutes,
  shapes: { ExternalProvider, Identity, IdentityProvider, LdapDraft, LdapSettings, LdapTrial, Trial },
})
