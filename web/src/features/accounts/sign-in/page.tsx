import { type User, accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { meQuery } from '../../../api/account.ts'
import { queryClient, queryOf } from '../../../api/query.ts'
import { claimSharedFiles } from '../../../api/shared-files-owner.ts'
import { links, safeNext } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { CenteredPage } from '../../../ui/centered-page.tsx'
import { PublicBanners } from '../../../blocks/banners/public-banners.tsx'
import { ExternalOutcome, announceSignedIn } from '../../../blocks/sign-in/external.tsx'
import { SignIn } from '../../../blocks/sign-in/sign-in.tsx'
import { SignUpForm } from '../../../blocks/sign-in/sign-up-form.tsx'
import { useText } from 'virtual:words/accounts-sign-in'

/** The door, for people who have an account. */
export function SignInPage() {
  const t = useText('accounts-sign-in')
  useTitle(t('signIn'))
  const enter = useEnter()
  const workspace = useWorkspace(({ name }) => name)
  const info = useQuery(queryOf(accountsRoutes.systemInfo))
  const [isDone, setDone] = useState(false)
  function onSignedIn(user: User) {
    if (new URLSearchParams(location.search).get('window') !== '1') return enter(user)
    // It was opened by a page that waits for this.
    announceSignedIn()
    setDone(true)
    window.close()
  }
  if (isDone) {
    return (
      <CenteredPage title={t('doneTitle')}>
        <p role="status" className="text-muted">
          {t('doneText')}
        </p>
      </CenteredPage>
    )
  }
  return (
    <CenteredPage title={t('title', { workspace })}>
      <PublicBanners />
      <ExternalOutcome />
      <SignIn
        onSignedIn={onSignedIn}
        below={
          info.data?.signupEnabled && (
            <p className="mt-1 text-center text-sm text-muted">
              {t('noAccount')}{' '}
              <Link to={links.signUp()} className="font-medium text-accent-ink underline underline-offset-2">
                {t('makeOne')}
              </Link>
            </p>
          )
        }
      />
    </CenteredPage>
  )
}

/** The door, for people who want an account. */
export function SignUpPage() {
  const t = useText('accounts-sign-in')
  useTitle(t('signUp'))
  const enter = useEnter()
  const info = useQuery(queryOf(accountsRoutes.systemInfo))
  const [pending, setPending] = useState<User | null>(null)
  const [isAsked, setAsked] = useState(false)
  const back = (
    <Link to={links.signIn()} className="font-medium text-accent-ink underline underline-offset-2">
      {t('toSignIn')}
    </Link>
  )
  if (pending) {
    return (
      <CenteredPage title={t('pendingTitle')}>
        <p className="text-muted">{t('pendingText', { name: pending.username })}</p>
        <p className="mt-5 text-sm">{back}</p>
      </CenteredPage>
    )
  }
  if (info.data && !info.data.signupEnabled && !isAsked) {
    return (
      <CenteredPage title={t('closedTitle')}>
        <p className="text-muted">{t('closedText')}</p>
        <p className="mt-5 text-sm">{back}</p>
      </CenteredPage>
    )
  }
  return (
    <CenteredPage title={t('signUpTitle')}>
      <SignUpForm onAsked={() => setAsked(true)} onSignedIn={enter} onPending={setPending} submit={t('signUp')} />
      {!isAsked && (
        <p className="mt-5 text-center text-sm text-muted">
          {t('haveAccount')} {back}
        </p>
      )}
    </CenteredPage>
  )
}

/** Goes where the person wanted to go, with a cache that knows nothing of anybody else. */
function useEnter() {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { next?: unknown }
  return (user: User) => {
    queryClient.clear()
    queryClient.setQueryData(meQuery.queryKey, user)
    // Files that others had shared go at once; where that fails, the page that offers them tries again.
    void claimSharedFiles(user.id).catch(() => undefined)
    // Somebody who was asked to sign in first, so that a sign-in elsewhere can be linked, goes on with that.
    const linking = new URLSearchParams(location.search).get('error') === 'email_in_use'
    const to = linking ? links.settings('security', 'identities') : safeNext(search.next)
    void navigate({ href: to, replace: true })
  }
}
