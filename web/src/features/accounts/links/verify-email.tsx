import { accountsRoutes } from '@atrium/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { CenteredPage } from '../../../ui/centered-page.tsx'
import { CheckedLink, TextLink } from './checked-link.tsx'
import { useText } from 'virtual:words/accounts-links'

/** Confirms an address. By a button: programs that open the links of mails must not confirm anything. */
export function VerifyEmailPage() {
  const t = useText('accounts-links')
  useTitle(t('verify'))
  const workspace = useWorkspace(({ name }) => name)
  const [isDone, setDone] = useState(false)
  if (isDone) {
    return (
      <CenteredPage title={t('verified')} lead={t('verifiedText')}>
        <TextLink to={links.newChat()}>{t('toApp', { workspace })}</TextLink>
      </CenteredPage>
    )
  }
  return (
    <CheckedLink purpose="verify-email" title={t('verify')} lead={t('verifyLead')} instead={t('askInSettings')}>
      {({ token }) => <Confirm token={token} onDone={() => setDone(true)} />}
    </CheckedLink>
  )
}

function Confirm({ token, onDone }: { token: string; onDone: () => void }) {
  const t = useText('accounts-links')
  const verify = useMutation({
    mutationFn: () => call(accountsRoutes.verifyEmail, { body: { token } }, { asGuest: true }),
    onSuccess: () => {
      history.replaceState(history.state, '', location.pathname)
      void refresh(accountsRoutes.me)
      onDone()
    },
  })
  return (
    <div className="flex flex-col gap-4">
      {verify.isError && <ErrorCard title={wordsOf(verify.error)} />}
      <Button tone="primary" size="large" autoFocus busy={verify.isPending} onClick={() => verify.mutate()}>
        {t('confirm')}
      </Button>
    </div>
  )
}
