import { useParams } from '@tanstack/react-router'
import { Ldap } from '../directory/ldap.tsx'
import { Scim } from '../directory/scim.tsx'
import { SessionLifetimes } from '../sessions/policy.tsx'
import { SecondFactorPolicy } from './policy.tsx'
import { Providers } from './providers.tsx'
import { TrialPage } from './trial.tsx'

/** How people get in: one file for each part. */
export function SignInSettings() {
  const { item } = useParams({ strict: false }) as { item?: string }
  const trial = /^trial-(.+)$/.exec(item ?? '')?.[1]
  if (trial) return <TrialPage id={trial} />
  return (
    <div className="flex flex-col gap-9">
      <div>
        <SecondFactorPolicy />
        <SessionLifetimes />
      </div>
      <Providers />
      <Ldap />
      <Scim />
    </div>
  )
}
