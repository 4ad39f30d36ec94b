import { lazy, Suspense } from 'react'
import { WindowComing } from '../ui/early-keys.tsx'
import { settleProof, settleSession, useProofNeeded } from './session.ts'

const Window = lazy(() =>
  import('../blocks/sign-in/prove-again.tsx').then((module) => ({ default: module.ProveAgain })),
)

/** Over the page when something is asked for that only the owner may do, and the sign-in was long ago. */
export function ProveAgain() {
  if (!useProofNeeded()) return null
  function end(isProved: boolean) {
    settleProof(isProved)
    // By signing in again, which ends the session from before: what noticed that goes on as well.
    if (isProved) settleSession(true)
  }
  return (
    <Suspense fallback={<WindowComing onClose={() => end(false)} />}>
      <Window onEnd={end} />
    </Suspense>
  )
}
