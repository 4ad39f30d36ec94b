import type { MfaRequired, User } from '@atrium/contract/accounts'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CodeStep } from './code-step.tsx'

const EnrolStep = lazy(() => import('./enrol-step.tsx').then((module) => ({ default: module.EnrolStep })))

/** After a right first step, by whichever road: a code, or one-time codes set up first. */
export function SecondStep({
  asked,
  onSignedIn,
  onBack,
}: {
  asked: MfaRequired
  onSignedIn: (user: User) => void
  onBack: () => void
}) {
  const { challengeToken, requirement } = asked
  if (requirement === 'verify')
    return <CodeStep challengeToken={challengeToken} onSignedIn={onSignedIn} onBack={onBack} />
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <EnrolStep challengeToken={challengeToken} onSignedIn={onSignedIn} onBack={onBack} />
    </Suspense>
  )
}
