import { accountsRoutes } from '@atrium/contract/accounts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { DoorForm } from '../../../blocks/door/door-form.tsx'
import { NameField } from '../../../blocks/door/name-field.tsx'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { GatePage } from '../../../ui/gate-page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Way } from './gate.tsx'
import { useText } from 'virtual:words/accounts-links'

/** Asks for a link by mail. What comes of it is told to nobody but the owner of the mail box. */
export function ForgotPage() {
  const t = useText('accounts-links')
  useTitle(t('forgot'))
  const info = useQuery(queryOf(accountsRoutes.systemInfo))
  const [login, setLogin] = useState('')
  const ask = useMutation({
    mutationFn: () => call(accountsRoutes.forgotPassword, { body: { login: login.trim() } }, { asGuest: true }),
  })
  const back = (
    <p className="mt-5 text-sm">
      <Way to={links.signIn()}>{t('toSignIn')}</Way>
    </p>
  )
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
        <DoorForm
          submit={t('sendLink')}
          busy={ask.isPending}
          failed={ask.isError && wordsOf(ask.error)}
          onSubmit={() => login.trim() !== '' && ask.mutate()}
        >
          <NameField label={t('login')} maxLength={254} value={login} onChange={setLogin} />
        </DoorForm>
      )}
      {back}
    </GatePage>
  )
}
