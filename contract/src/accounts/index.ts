/** Accounts of people: sign-in, sessions, second factor, passkeys, profile and one-time links. */
import { area } from '../area.ts'
import { accountsDescription } from './area.ts'
import { AuthSession, SessionPolicy } from './sessions.ts'
import { EncryptionKey } from './encryption-key.ts'
import { Enrolment, MfaPolicy, MfaState, RecoveryCodes } from './second-factor.ts'
import { MfaRequired, Pending, SignedIn, User } from './account.ts'
import { Passkey, PasskeyShown } from './passkeys.ts'
import { Proof } from './proof.ts'
import { avatars } from './avatars.ts'
import { encryptionKey } from './encryption-key.ts'
import { oneTimeLinks } from './links.ts'
import { passkeys } from './passkeys.ts'
import { prove } from './prove.ts'
import { profile } from './profile.ts'
import { secondFactor } from './second-factor.ts'
import { sessions } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { tickets } from './tickets.ts'

export * from './account.ts'
export { mostAvatarBytes, mostAvatarPixels } from './avatars.ts'
export { Enrolment, MfaPolicy, MfaState, RecoveryCodes, secondFactor as secondFactorRoutes } from './second-factor.ts'
export { EncryptionKey } from './encryption-key.ts'
export { type LinkPurpose, linkPurposes } from './links.ts'
export { Proof } from './proof.ts'
export { Passkey, PasskeyShown } from './passkeys.ts'
export { AuthSession, SessionPolicy, sessionKinds, type SessionKind } from './sessions.ts'
export { type SocketAudience, socketAudiences } from './tickets.ts'

export const accountsRoutes = {
  ...signIn,
  ...profile,
  ...avatars,
  ...sessions,
  ...secondFactor,
  ...prove,
  ...oneTimeLinks,
  ...passkeys,
  ...tickets,
  ...encryptionKey,
} as const

export const accountsArea = area(accountsDescription, {
  routes: accountsRoutes,
  shapes: {
    AuthSession,
    EncryptionKey,
    Enrolment,
    MfaPolicy,
    MfaRequired,
    MfaState,
    Passkey,
    PasskeyShown,
    Pending,
    Proof,
    RecoveryCodes,
    SessionPolicy,
    SignedIn,
    User,
  },
})
