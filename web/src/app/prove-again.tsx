import { lazy, Suspense } from 'react'
import { settleProof, useProofNeeded } from './session.ts'

const Window = lazy(() => import('../blocks/door/prove-again.tsx').then((module) => ({ default: module.ProveAgain })))

/** Over the page when something is asked for that only the owner may do, and the sign-in was long ago. */
export function ProveAgain() {
  if (!useProofNeeded()) return null
  return (
    <Suspense>
      <Window onEnd={settleProof} />
    </Suspense>
  )
}
