import { deliveriesRoutes, type MailKind } from '@atrium/contract/deliveries'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { useNotificationKindName } from '../../../blocks/notification-kind/kinds.ts'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { CenteredPage } from '../../../ui/centered-page.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { useText } from 'virtual:words/notifications-unsubscribe'

/** What mail programs send as well (RFC 8058, 3.2). */
const oneClick = new Blob(['List-Unsubscribe=One-Click'], { type: 'application/x-www-form-urlencoded' })

/** Stops letters of a kind. By a button: programs that open the links of mails must not stop anything. */
export function UnsubscribePage() {
  const t = useText('notifications-unsubscribe')
  useTitle(t('title'))
  const [token] = useState(() => decodeToken(location.hash.slice(1)))
  const stop = useMutation({
    mutationFn: () => call(deliveriesRoutes.unsubscribe, { params: { token }, file: oneClick }, { asGuest: true }),
  })
  if (stop.data) return <Stopped kind={stop.data.kind} />
  if (token === '') return <CenteredPage title={t('incomplete')} lead={t('incompleteText')} />
  return (
    <CenteredPage title={t('title')} lead={t('lead')}>
      <div className="flex flex-col gap-4">
        {stop.isError && <ErrorCard title={wordsOf(stop.error)} />}
        <Button tone="primary" size="large" autoFocus busy={stop.isPending} onClick={() => stop.mutate()}>
          {t('stop')}
        </Button>
      </div>
    </CenteredPage>
  )
}

function Stopped({ kind }: { kind: MailKind }) {
  const t = useText('notifications-unsubscribe')
  const nameOf = useNotificationKindName()
  return (
    <CenteredPage
      title={t('stopped')}
      lead={<p role="status">{t('stoppedText', { kind: kind === 'digest' ? t('digest') : nameOf(kind) })}</p>}
    >
      <Link
        to={links.settings('notifications', 'kinds')}
        className="font-medium text-accent-ink underline underline-offset-2"
      >
        {t('toSettings')}
      </Link>
    </CenteredPage>
  )
}

/** Empty where it is no token. */
const decodeToken = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
