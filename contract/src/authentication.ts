/** Who is asking: accounts, sign-in, sessions and API tokens. */
import { external } from './authentication/external.ts'
import { encryptionKey } from './authentication/encryption-key.ts'
import { ldap } from './authentication/ldap.ts'
import { oneTimeLinks } from './authentication/links.ts'
import { passkeys } from './authentication/passkeys.ts'
import { prove } from './authentication/prove.ts'
import { profile } from './authentication/profile.ts'
import { secondFactor } from './authentication/second-factor.ts'
import { sessions } from './authentication/sessions.ts'
import { signIn } from './authentication/sign-in.ts'
import { tickets } from './authentication/tickets.ts'
import { tokens } from './authentication/tokens.ts'

export * from './authentication/account.ts'
export { Enrolment, MfaPolicy, MfaState, RecoveryCodes } from './authentication/second-factor.ts'
export { EncryptionKey } from './authentication/encryption-key.ts'
export {
  ExternalProvider,
  externalReasons,
  type ExternalReason,
  Identity,
  IdentityProvider,
  providerKinds,
  Trial,
} from './authentication/external.ts'
export { LdapSettings, LdapTrial, ldapSteps } from './authentication/ldap.ts'
export { type LinkPurpose, linkPurposes } from './authentication/links.ts'
export { Proof } from './authentication/proof.ts'
export { Passkey, PasskeyShown } from './authentication/passkeys.ts'
export { AuthSession, SessionPolicy, sessionKinds, type SessionKind } from './authentication/sessions.ts'
export { type SocketAudience, socketAudiences } from './authentication/tickets.ts'
export { ApiToken, TokenBudget } from './authentication/tokens.ts'

export const authentication = {
  ...signIn,
  ...external,
  ...profile,
  ...sessions,
  ...tokens,
  ...secondFactor,
  ...prove,
  ...oneTimeLinks,
  ...passkeys,
  ...tickets,
  ...encryptionKey,
  ...ldap,
} as const
