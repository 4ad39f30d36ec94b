import type { MfaRequired, SignedIn, User } from '@atrium/contract/accounts'
import { type ReactNode, useState } from 'react'
import { Forgot } from './forgot.tsx'
import { PasskeyStep } from './passkey.tsx'
import { ExternalSignIn } from './external.tsx'
import { PasswordStep } from './password-step.tsx'
import { SecondStep } from './second-step.tsx'

/** What every road of sign-in answers with: a session, or what is still asked for. */
export type SignInAnswer = SignedIn | MfaRequired

/**
 * The door: a first step by one of several roads, and a second one where the account or the policy wants it. Each road
 * is a file of its own here, and hands its answer to `enter`.
 */
export function SignIn({
  username,
  below,
  onSignedIn,
}: {
  /** Who was signed in here before: the page behind is theirs, and must stay as it is. */
  username?: string | undefined
  /** Ways out for who has no account; gone while a second step waits. */
  below?: ReactNode
  onSignedIn: (user: User) => void
}) {
  const [asked, setAsked] = useState<MfaRequired | null>(null)
  const enter = (answer: SignInAnswer) => ('mfaRequired' in answer ? setAsked(answer) : onSignedIn(answer.user))
  if (asked) return <SecondStep asked={asked} onSignedIn={onSignedIn} onBack={() => setAsked(null)} />
  return (
    <div className="flex flex-col gap-4">
      <PasswordStep username={username} onAnswer={enter} />
      {username === undefined && <Forgot />}
      <PasskeyStep onSignedIn={onSignedIn} />
      <ExternalSignIn overPage={username !== undefined} onAnswer={enter} onSignedIn={onSignedIn} />
      {/* Other roads stand below. */}
      {below}
    </div>
  )
}
