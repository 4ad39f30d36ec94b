/** Tells somebody that an administrator looks, or looked, into what is theirs; until it is said that this was read. */
import { accessRoutes, type BreakGlass } from '@atrium/contract/access'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/support-access'

export function SupportNotice({ session }: { session: BreakGlass }) {
  const t = useText('support-access')
  const navigate = useNavigate()
  const read = useMutation({
    mutationFn: (id: string) => call(accessRoutes.seenBreakGlass, { params: { id } }),
    onSettled: () => void refresh(accessRoutes.breakGlass),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const name = session.administrator.name || t('byGone')
  const see = () => {
    read.mutate(session.id)
    void navigate({ to: links.settings('security', 'supportAccess') })
  }
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      modalOnly
      title={t('notice.title')}
      description={t('notice.text')}
      footer={
        <>
          <Button onClick={see}>{t('notice.look')}</Button>
          <Button tone="primary" busy={read.isPending} onClick={() => read.mutate(session.id)}>
            {t('notice.read')}
          </Button>
        </>
      }
    >
      <p className="font-medium wrap-anywhere">{t(session.active ? 'by' : 'was', { name })}</p>
      <p className="mt-1 wrap-anywhere">{t('reason', { reason: session.reason })}</p>
      <p className="mt-1 pb-2 text-sm text-muted">
        {t('from', {
          start: formatDateTime(session.startedAt),
          end: formatDateTime(session.endedAt ?? session.expiresAt),
        })}
        {!session.active && ` · ${t('notice.over')}`}
      </p>
    </Dialog>
  )
}
