/**
 * A chat that is shared by a link, for whoever has the link. The secret stands behind the `#`, so that the server that
 * sent the page never saw it; it is exchanged for a visit, and everything else is asked for with that.
 */
import { chatRoutes as routes } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, detailsOf, wordsOf } from '../../../api/errors.ts'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { CenteredPage } from '../../../ui/centered-page.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { LinkedChat } from './linked-chat.tsx'
import { useText } from 'virtual:words/chat-links'

export function LinkedChatPage() {
  const t = useText('chat-links')
  useTitle(t('visit.title'))
  const [secret] = useState(() => location.hash.slice(1))
  const [password, setPassword] = useState<string | undefined>()
  const [over, setOver] = useState<string | null>(null)
  const opened = useQuery({
    queryKey: ['linked-chat', secret, password],
    queryFn: () => call(routes.openLink, { body: { secret, password } }, { asGuest: true }),
    enabled: secret !== '',
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  })
  const code = codeOf(opened.error)
  if (secret === '' || code === 'chat_link_not_found') {
    return <CenteredPage title={t('visit.gone')} lead={secret === '' ? t('visit.incomplete') : t('visit.goneText')} />
  }
  const isRefused = code === 'chat_link_password' || code === 'chat_link_locked'
  if (opened.data?.state === 'password' || isRefused || (password !== undefined && opened.isPending)) {
    return (
      <PasswordForm
        busy={opened.isFetching}
        refused={isRefused ? wordsOf(opened.error) : null}
        onSubmit={(typed) => (typed === password ? void opened.refetch() : setPassword(typed))}
      />
    )
  }
  if (opened.isError) {
    return (
      <CenteredPage title={t('visit.title')}>
        <ErrorCard title={t('visit.notLoaded')} details={detailsOf(opened.error)} onRetry={() => void opened.refetch()}>
          {wordsOf(opened.error)}
        </ErrorCard>
      </CenteredPage>
    )
  }
  // What a visit that is over showed is gone from the page before it is asked whether there can be another one.
  if (!opened.data || opened.data.visit === over) {
    return (
      <CenteredPage title={t('visit.title')}>
        <Skeleton lines={4} />
      </CenteredPage>
    )
  }
  const { visit, ownerName } = opened.data
  return (
    <LinkedChat
      key={visit}
      visit={visit}
      ownerName={ownerName}
      onOver={() => {
        setOver(visit)
        void opened.refetch()
      }}
    />
  )
}

function PasswordForm({
  busy,
  refused,
  onSubmit,
}: {
  busy: boolean
  refused: string | null
  onSubmit: (password: string) => void
}) {
  const t = useText('chat-links')
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
          {t('visit.open')}
        </Button>
      </form>
    </CenteredPage>
  )
}
