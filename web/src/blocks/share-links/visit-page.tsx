/**
 * What is shared by a link, for whoever has the link. The secret stands behind the `#`, so that the server that sent the
 * page never saw it; it is exchanged for a visit, and everything else is asked for with that.
 */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { codeOf, detailsOf, wordsOf } from '../../api/errors.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { CenteredPage } from '../../ui/centered-page.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/share-links'

export interface Visit {
  readonly visit: string
  /** What the owner wants to be called; null where nothing was said. */
  readonly ownerName: string | null
  /** Nothing of it may be shown any more. */
  readonly onOver: () => void
}

type Opened =
  | { readonly state: 'password' }
  | { readonly state: 'open'; readonly visit: string; readonly ownerName: string | null }

export function VisitPage({
  words,
  codes,
  open,
  children,
}: {
  /** What the page is called, what could not be loaded, and what its button opens. */
  words: { readonly title: string; readonly notLoaded: string; readonly open: string }
  codes: { readonly missing: string; readonly password: string; readonly locked: string }
  open: (body: { secret: string; password: string | undefined }) => Promise<Opened>
  children: (visit: Visit) => ReactNode
}) {
  const t = useText('share-links')
  useTitle(words.title)
  const [secret] = useState(() => location.hash.slice(1))
  const [password, setPassword] = useState<string | undefined>()
  const [over, setOver] = useState<string | null>(null)
  const opened = useQuery({
    queryKey: ['visit', codes.missing, secret, password],
    queryFn: () => open({ secret, password }),
    enabled: secret !== '',
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  })
  const code = codeOf(opened.error)
  if (secret === '' || code === codes.missing) {
    return <CenteredPage title={t('visit.gone')} lead={secret === '' ? t('visit.incomplete') : t('visit.goneText')} />
  }
  const isRefused = code === codes.password || code === codes.locked
  if (opened.data?.state === 'password' || isRefused || (password !== undefined && opened.isPending)) {
    return (
      <PasswordForm
        busy={opened.isFetching}
        refused={isRefused ? wordsOf(opened.error) : null}
        action={words.open}
        onSubmit={(typed) => (typed === password ? void opened.refetch() : setPassword(typed))}
      />
    )
  }
  if (opened.isError) {
    return (
      <CenteredPage title={words.title}>
        <ErrorCard title={words.notLoaded} details={detailsOf(opened.error)} onRetry={() => void opened.refetch()}>
          {wordsOf(opened.error)}
        </ErrorCard>
      </CenteredPage>
    )
  }
  // What a visit that is over showed is gone from the page before it is asked whether there can be another one.
  if (!opened.data || opened.data.visit === over) {
    return (
      <CenteredPage title={words.title}>
        <Skeleton lines={4} />
      </CenteredPage>
    )
  }
  const { visit, ownerName } = opened.data
  const onOver = () => {
    setOver(visit)
    void opened.refetch()
  }
  return children({ visit, ownerName, onOver })
}

function PasswordForm({
  busy,
  refused,
  action,
  onSubmit,
}: {
  busy: boolean
  refused: string | null
  action: string
  onSubmit: (password: string) => void
}) {
  const t = useText('share-links')
  const [typed, setTyped] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    if (typed && !busy) onSubmit(typed)
  }
  return (
    <CenteredPage title={t('visit.passwordTitle')} lead={t('visit.passwordLead')}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t('password')} error={busy ? null : refused}>
          <PasswordInput autoFocus maxLength={200} value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
        <Button type="submit" tone="primary" busy={busy} disabled={!typed}>
          {action}
        </Button>
      </form>
    </CenteredPage>
  )
}
