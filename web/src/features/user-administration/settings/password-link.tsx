import { type ListedUser, invitationRoutes } from '@atrium/contract/user-administration'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { ShownOnce } from '../../../blocks/shown-once.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { nameOf } from '../../../api/people.ts'
import { useText } from 'virtual:words/user-administration'

/** A link with which somebody chooses a password: made when this opens, shown this once. */
export function PasswordLink({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const t = useText('user-administration')
  const { mutate, ...made } = useMutation({
    mutationFn: () => call(invitationRoutes.passwordLink, { params: { id: user.id } }),
  })
  useEffect(() => mutate(), [mutate])
  return (
    <ShownOnce
      title={t('link.title', { name: nameOf(user) })}
      text={t('link.text')}
      secret={made.data && new URL(made.data.link, location.origin).href}
      copy={t('link.copy')}
      warning={made.data ? t('link.until', { when: formatDateTime(made.data.expiresAt) }) : ''}
      onClose={onClose}
    >
      {made.isPending && <Skeleton lines={2} />}
      {made.isError && (
        <ErrorCard title={t('link.notMade')} details={detailsOf(made.error)} onRetry={() => mutate()}>
          {wordsOf(made.error)}
        </ErrorCard>
      )}
    </ShownOnce>
  )
}
