import { authentication, type User } from '@atrium/contract/authentication'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { meQuery } from '../../api/account.ts'
import { queryClient, queryOf } from '../../api/query.ts'
import { links, safeNext } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { GatePage } from '../../ui/gate-page.tsx'
import { SignIn } from '../../blocks/door/sign-in.tsx'
import { SignUpForm } from '../../blocks/door/sign-up-form.tsx'
import { useText } from './texts.ts'

/** The door, for people who have an account. */
export function SignInPage() {
  const t = useText('sign-in')
  useTitle(t('signIn'))
  const enter = useEnter()
  const info = useQuery(queryOf(authentication.systemInfo))
  return (
    <GatePage title={t('title')}>
      <SignIn onSignedIn={enter} />
      {info.data?.signupEnabled && (
        <p className="mt-5 text-center text-sm text-muted">
          {t('noAccount')}{' '}
          <Link to={links.signUp()} className="font-medium text-accent-ink underline underline-offset-2">
            {t('makeOne')}
          </Link>
        </p>
      )}
    </GatePage>
  )
}

/** The door, for people who want an account. */
export function SignUpPage() {
  const t = useText('sign-in')
  useTitle(t('signUp'))
  const enter = useEnter()
  const info = useQuery(queryOf(authentication.systemInfo))
  const [pending, setPending] = useState<User | null>(null)
  const back = (
    <Link to={links.signIn()} className="font-medium text-accent-ink underline underline-offset-2">
      {t('toSignIn')}
    </Link>
  )
  if (pending) {
    return (
      <GatePage title={t('pendingTitle')}>
        <p className="text-muted">{t('pendingText', { name: pending.username })}</p>
        <p className="mt-5 text-sm">{back}</p>
      </GatePage>
    )
  }
  if (info.data && !info.data.signupEnabled) {
    return (
      <GatePage title={t('closedTitle')}>
        <p className="text-muted">{t('closedText')}</p>
        <p className="mt-5 text-sm">{back}</p>
      </GatePage>
    )
  }
  return (
    <GatePage title={t('signUpTitle')}>
      <SignUpForm onSignedIn={enter} onPending={setPending} submit={t('signUp')} />
      <p className="mt-5 text-center text-sm text-muted">
        {t('haveAccount')} {back}
      </p>
    </GatePage>
  )
}

/** Goes where the person wanted to go, with a cache that knows nothing of anybody else. */
function useEnter() {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { next?: unknown }
  return (user: User) => {
    queryClient.clear()
    queryClient.setQueryData(meQuery.queryKey, user)
    void navigate({ href: safeNext(search.next), replace: true })
  }
}
