import type { ListedUser } from '@atrium/contract/user-administration'
import { invitations } from '@atrium/contract/invitations'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { moment } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { nameOf } from './state.ts'
import { useText } from './texts.ts'

/** A link with which somebody chooses a password: made when this opens, shown this once. */
export function PasswordLink({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const t = useText('people')
  const { mutate, ...made } = useMutation({
    mutationFn: () => call(invitations.passwordLink, { params: { id: user.id } }),
  })
  useEffect(() => mutate(), [mutate])
  const link = made.data && new URL(made.data.link, location.origin).href
  return (
    <Dialog
      open
      onOpenChange={onClose}
      modalOnly
      title={t('link.title', { name: nameOf(user) })}
      description={t('link.text')}
      footer={
        <Button tone="primary" onClick={onClose}>
          {t('link.done')}
        </Button>
      }
    >
      {link && made.data ? (
        <>
          <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
            <code dir="ltr" className="min-w-0 flex-1 text-start font-mono text-sm break-all select-all">
              {link}
            </code>
            <CopyButton text={link} label={t('link.copy')} />
          </div>
          <p className="mt-2 pb-2 text-sm text-muted">{t('link.until', { when: moment(made.data.expiresAt) })}</p>
        </>
      ) : made.isError ? (
        <ErrorCard title={t('link.notMade')} details={detailsOf(made.error)} onRetry={() => mutate()}>
          {wordsOf(made.error)}
        </ErrorCard>
      ) : (
        <Skeleton lines={2} />
      )}
    </Dialog>
  )
}
