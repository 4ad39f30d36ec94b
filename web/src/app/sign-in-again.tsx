import type { User } from '@atrium/contract/accounts'
import { lazy, Suspense } from 'react'
import { meQuery } from '../api/account.ts'
import { queryClient } from '../api/query.ts'
import { dropSharedFiles } from '../api/shared-files.ts'
import { links } from '../lib/links.ts'
import { useText } from '../lib/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { settleProof, settleSession, useSessionLost } from './session.ts'

const SignIn = lazy(() => import('../blocks/sign-in/sign-in.tsx').then((module) => ({ default: module.SignIn })))

/** Over the page when the session has ended; what stands on the page stays, and waiting calls go on afterwards. */
export function SignInAgain() {
  const t = useText('app')
  const lost = useSessionLost()
  if (!lost) return null
  const before = queryClient.getQueryData<User>(meQuery.queryKey)

  function onSignedIn(user: User) {
    // Somebody else must not see what is on the page, nor get what was shared.
    if (before && before.id !== user.id) return void dropSharedFiles().then(() => location.assign('/'))
    settleSession(true)
    settleProof(true)
    void queryClient.invalidateQueries()
  }
  return (
    <Dialog
      open
      onOpenChange={() => {}}
      modalOnly
      width="narrow"
      title={t('signInAgain.title')}
      description={t('signInAgain.text')}
    >
      <Suspense fallback={<Skeleton />}>
        <SignIn username={before?.username} onSignedIn={onSignedIn} />
      </Suspense>
      <p className="mt-3 text-sm text-muted">
        <a className="text-accent-ink underline" href={links.signIn()}>
          {t('signInAgain.leave')}
        </a>
      </p>
    </Dialog>
  )
}
