import { SessionLifetimes } from '../sessions/policy.tsx'
import { SecondFactorPolicy } from './second-factor-policy.tsx'

/** What holds for every sign-in, and for how long. */
export function SignInPolicy() {
  return (
    <div>
      <SecondFactorPolicy />
      <SessionLifetimes />
    </div>
  )
}
