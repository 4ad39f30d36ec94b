import { authentication } from '@atrium/contract/authentication'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { GatePage } from '../../ui/gate-page.tsx'
import { Input } from '../../ui/input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Way } from './gate.tsx'
import { useText } from './texts.ts'

/** Asks for a link by mail. What comes of it is told to nobody but the owner of the mail box. */
export function ForgotPage() {
  const t = useText('links')
  useTitle(t('forgot'))
  const info = useQuery(queryOf(authentication.systemInfo))
  const [login, setLogin] = useState('')
  const ask = useMutation({
    mutationFn: () => call(authentication.forgotPassword, { body: { login: login.trim() } }, { asGuest: true }),
  })
  const back = (
    <p className="mt-5 text-sm">
      <Way to={links.signIn()}>{t('toSignIn')}</Way>
    </p>
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    if (login.trim() !== '') ask.mutate()
  }

  if (ask.isSuccess) {
    return (
      <GatePage title={t('askedTitle')} lead={t('askedText')}>
        <p className="text-sm text-muted">{t('askedHint')}</p>
        {back}
      </GatePage>
    )
  }
  if (info.data && !info.data.mailAvailable) {
    return (
      <GatePage title={t('noMailTitle')} lead={t('noMailText')}>
        {back}
      </GatePage>
    )
  }
  return (
    <GatePage title={t('forgot')} lead={t('forgotLead')}>
      {info.isPending ? (
        <Skeleton lines={3} />
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4">
          {ask.isError && <ErrorCard title={wordsOf(ask.error)} />}
          <Field label={t('login')}>
            <Input
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              dir="auto"
              required
              maxLength={254}
              autoFocus
              value={login}
              onChange={(event) => setLogin(event.target.value)}
            />
          </Field>
          <Button type="submit" tone="primary" size="large" busy={ask.isPending} className="mt-1">
            {t('sendLink')}
          </Button>
        </form>
      )}
      {back}
    </GatePage>
  )
}
