import { type Invitation, invitationRoutes as routes } from '@atrium/contract/user-administration'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { MailPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { pagesOf } from '../../../api/pages.ts'
import { refresh } from '../../../api/query.ts'
import { ShownOnce } from '../../../blocks/shown-once.tsx'
import { MoreButton } from '../../../blocks/more-button.tsx'
import { formatAgo, formatDay, formatDateTime } from '../../../lib/format.ts'
import { WindowComing } from '../../../ui/early-keys.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/user-administration-invitations'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'

const InviteForm = lazy(() => import('./form.tsx').then((module) => ({ default: module.InviteForm })))

/** Who was invited and has not come yet, and the way to invite somebody. */
export function Invitations() {
  const t = useText('user-administration-invitations')
  const [isAsking, setAsking] = useState(false)
  const [shown, setShown] = useState<{ link: string; invitation: Invitation } | null>(null)
  const [leaving, setLeaving] = useState<Invitation | null>(null)
  const pages = useInfiniteQuery({
    ...pagesOf(routes.invitations, { query: { limit: 50 } }),
    staleTime: 0,
  })
  const open = pages.data ?? []
  return (
    <section id="invitations" className="-mx-3 mt-8 rounded-lg px-3">
      <Group title={t('title')} text={t('text')}>
        <Button className="my-2" icon={<MailPlus className="size-4" />} onClick={() => setAsking(true)}>
          {t('invite')}
        </Button>
        <QueryView query={pages} title={t('notLoaded')} lines={2}>
          {() =>
            open.length === 0 ? (
              <p className="py-2 text-muted">{t('none')}</p>
            ) : (
              <ul>
                {open.map((invitation) => (
                  <Open key={invitation.id} invitation={invitation} onRevoke={() => setLeaving(invitation)} />
                ))}
              </ul>
            )
          }
        </QueryView>
        <MoreButton pages={pages} className="mt-3" />
      </Group>
      {isAsking && (
        <Suspense fallback={<WindowComing onClose={() => setAsking(false)} />}>
          <InviteForm onClose={() => setAsking(false)} onMade={setShown} />
        </Suspense>
      )}
      {shown && (
        <ShownOnce
          title={t('shown.title')}
          text={t('shown.text', { when: formatDateTime(shown.invitation.expiresAt) })}
          // Where the server does not know its own address, the link begins with the one in use here.
          secret={new URL(shown.link, location.origin).href}
          copy={t('shown.copy')}
          warning={t('shown.warning')}
          onClose={() => setShown(null)}
        />
      )}
      {leaving && <Revoke invitation={leaving} onClose={() => setLeaving(null)} />}
    </section>
  )
}

function Open({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) {
  const t = useText('user-administration-invitations')
  const { email, role, groups, createdBy, createdAt, expiresAt } = invitation
  const name = email ?? t('anybody')
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-2.5">
      <div className="min-w-36 flex-1">
        <p className="truncate font-medium">
          <bdi dir="auto">{name}</bdi>
        </p>
        <p className="text-sm text-muted">
          {t('by', { name: createdBy.name, when: formatAgo(createdAt) })}
          {' · '}
          {t('until', { when: formatDay(expiresAt) })}
        </p>
        {groups.length > 0 && (
          <ul className="mt-1 flex flex-wrap gap-1.5">
            {groups.map((group) => (
              <li key={group.id} className="flex max-w-full min-w-0">
                <Badge className="max-w-full shrink!">
                  <bdi className="truncate">{group.name}</bdi>
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </div>
      {role === 'admin' && <Badge tone="accent">{t('administrator')}</Badge>}
      <Button size="small" aria-label={t('revokeNamed', { name })} onClick={onRevoke}>
        {t('revoke')}
      </Button>
    </li>
  )
}

function Revoke({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const t = useText('user-administration-invitations')
  const revoke = useMutation({
    mutationFn: () => call(routes.revokeInvitation, { params: { id: invitation.id } }),
    onSuccess: () => toast(t('revoked')),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => {
      void refresh(routes.invitations)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('revokeTitle')}
      confirm={t('revoke')}
      danger
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
    >
      {t('revokeText')}
    </ConfirmDialog>
  )
}
