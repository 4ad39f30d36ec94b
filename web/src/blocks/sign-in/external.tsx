import { type User, accountsRoutes } from '@atrium/contract/accounts'
import { toRequest } from '@atrium/contract/request'
import { type ExternalProvider, signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { useMutation, useQuery } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { i18n } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { SignInAnswer } from './sign-in.tsx'
import { useText } from 'virtual:words/sign-in'

/** Windows that were opened for a sign-in tell the page behind them here. */
const channelName = 'atrium-door'

/** Says in every page of this browser that somebody came in. */
export function announceSignedIn(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage('signed-in')
  channel.close()
}

/**
 * Signing in with an account elsewhere. On the sign-in page the browser goes there and comes back; over another page,
 * which must stay as it is, a window is opened for it.
 */
export function ExternalSignIn({
  overPage,
  onAnswer,
  onSignedIn,
}: {
  overPage: boolean
  onAnswer: (answer: SignInAnswer) => void
  onSignedIn: (user: User) => void
}) {
  const t = useText('sign-in')
  const providers = useQuery({ ...queryOf(signInProvidersRoutes.externalProviders), retry: false })
  const came = useArrival(overPage ? '' : location.search, onAnswer)
  useOtherWindow(overPage, onSignedIn)
  const items = providers.data?.items ?? []
  return (
    <>
      {came.isPending && (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <Spinner size={14} /> {t('external.arriving')}
        </p>
      )}
      {came.isError && <ErrorCard title={wordsOf(came.error)} />}
      {came.data && 'confirm' in came.data && (
        <section
          aria-label={t('external.meant')}
          className="order-first rounded-lg border border-line bg-accent-soft p-3.5"
        >
          <p className="font-medium">{t('external.meant')}</p>
          <p className="mt-1 mb-3 text-sm break-words">
            {t('external.meantText', { name: came.data.confirm.username, provider: came.data.confirm.provider.name })}
          </p>
          <Button tone="primary" size="large" className="w-full" autoFocus onClick={() => came.mutate(true)}>
            {t('external.continueAs', { name: came.data.confirm.username })}
          </Button>
        </section>
      )}
      {items.length > 0 && (
        <div className="flex flex-col gap-2">
          <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            {t('external.or')}
          </p>
          {items.map((provider) => (
            <ProviderButton key={provider.id} provider={provider} overPage={overPage} />
          ))}
        </div>
      )}
    </>
  )
}

function ProviderButton({ provider, overPage }: { provider: ExternalProvider; overPage: boolean }) {
  const t = useText('sign-in')
  const label = (
    <>
      <LogIn aria-hidden className="size-4" />
      <span className="min-w-0 truncate">{t('external.with', { name: provider.name })}</span>
    </>
  )
  if (overPage) {
    const address = addressOf(provider.id, { window: '1' })
    return (
      <Button size="large" onClick={() => window.open(address, '_blank', 'popup,width=560,height=720')}>
        {label}
      </Button>
    )
  }
  const next = new URLSearchParams(location.search).get('next') ?? undefined
  const inWindow = new URLSearchParams(location.search).get('window') === '1'
  return (
    <Button size="large" asChild>
      <a href={addressOf(provider.id, { next, ...(inWindow ? { window: '1' } : {}) })}>{label}</a>
    </Button>
  )
}

const addressOf = (idp: string, query: { next?: string | undefined; window?: '1' }): string =>
  toRequest(signInProvidersRoutes.externalStart, { params: { idp }, query } as never).path

/** Takes the session that the way back left for this page, once. One that nobody here began waits for a click. */
function useArrival(search: string, onAnswer: (answer: SignInAnswer) => void) {
  const exchange = useMutation({
    mutationFn: (confirmed: boolean) =>
      call(signInProvidersRoutes.externalExchange, { body: { confirmed } }, { asGuest: true }),
    onSuccess: (answer) => 'confirm' in answer || onAnswer(answer),
  })
  const begun = useRef(false)
  const { mutate } = exchange
  useEffect(() => {
    if (begun.current || new URLSearchParams(search).get('auth') !== 'success') return
    begun.current = true
    mutate(false)
  }, [search, mutate])
  return exchange
}

/** Goes on when the window that was opened for it has signed in. */
function useOtherWindow(overPage: boolean, onSignedIn: (user: User) => void): void {
  const heard = useRef(onSignedIn)
  heard.current = onSignedIn
  useEffect(() => {
    if (!overPage) return
    const channel = new BroadcastChannel(channelName)
    channel.onmessage = () => {
      void call(accountsRoutes.me, {}, { asGuest: true }).then(
        (user) => heard.current(user),
        // It was somebody who may not come in, or is gone already: the form stays.
        () => undefined,
      )
    }
    return () => channel.close()
  }, [overPage])
}

/** What came of a way back that led to no session: from the address, in words; null for nothing. */
function useExternalOutcome(): { title: string; text: string | null; tone: 'danger' | 'info' } | null {
  const t = useText('sign-in')
  const [said] = useState(() => new URLSearchParams(location.search))
  const providers = useQuery({ ...queryOf(signInProvidersRoutes.externalProviders), retry: false })
  if (said.get('approval') === 'pending')
    return { title: t('external.pending'), text: t('external.pendingText'), tone: 'info' }
  const code = said.get('error')
  if (code === null) return null
  const id = said.get('provider')
  const name = providers.data?.items.find((provider) => provider.id === id)?.name ?? t('external.there')
  const known = i18n.exists(`sign-in:external.errors.${code}`) ? code : 'oauth_failed'
  return {
    title: t(`external.errors.${known}`, { name }),
    text: known === 'email_in_use' ? t('external.linkText', { name }) : null,
    tone: known === 'email_in_use' ? 'info' : 'danger',
  }
}

/** The outcome as a card over the form. */
export function ExternalOutcome() {
  const outcome = useExternalOutcome()
  if (!outcome) return null
  if (outcome.tone === 'danger') return <ErrorCard title={outcome.title} className="mb-4" />
  return (
    <div role="status" className="mb-4 rounded-lg border border-line bg-accent-soft px-3.5 py-3">
      <p className="font-medium">{outcome.title}</p>
      {outcome.text && <p className="mt-1 text-sm">{outcome.text}</p>}
    </div>
  )
}
