import { SessionLifetimes } from '../sessions/policy.tsx'
import { SecondFactorPolicy } from './policy.tsx'
import { Providers } from './providers.tsx'

/** How people get in: one file for each part. */
export function SignInSettings() {
  return (
    <div className="flex flex-col gap-9">
      <div>
        <SecondFactorPolicy />
        <SessionLifetimes />
      </div>
      <Providers />
    </div>
  )
}
