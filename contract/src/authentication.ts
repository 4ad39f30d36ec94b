/** Who is asking: accounts, sign-in, sessions and API tokens. */
import { profile } from './authentication/profile.ts'
import { sessions } from './authentication/sessions.ts'
import { signIn } from './authentication/sign-in.ts'
import { tokens } from './authentication/tokens.ts'

export * from './authentication/account.ts'
export { AuthSession, sessionKinds, type SessionKind } from './authentication/sessions.ts'
export { ApiToken } from './authentication/tokens.ts'

export const authentication = { ...signIn, ...profile, ...sessions, ...tokens } as const
