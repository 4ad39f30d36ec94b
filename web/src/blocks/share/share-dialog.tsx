/** Who else may see or change a thing: one window for everything that can be shared. */
import { accessRoutes, type Grant, type ResourceType } from '@atrium/contract/access'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Lock, UsersRound, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { call } from '../../api/client.ts'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { pagesOf } from '../../api/pages.ts'
import { refresh } from '../../api/query.ts'
import { MoreButton } from '../more-button.tsx'
import { factSeparator, formatDateTime } from '../../lib/format.ts'
import { useResourceWords } from '../../lib/resources.ts'
import { Badge } from '../../ui/badge.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toaster.tsx'
import { TransferThing } from '../transfer/transfer-thing.tsx'
import { GrantForm, rightsOf } from './grant-form.tsx'
import { Why } from './why.tsx'
import { useText } from 'virtual:words/share'

export interface ShareDialogProps {
  resourceType: ResourceType
  resourceId: string
  /** What it is called. */
  name: string
  onClose: () => void
  /** A grant was added, changed or revoked. */
  onChanged?: () => void
  /** Other ways in which this kind of thing is shared. */
  children?: ReactNode
}

export function ShareDialog({ resourceType, resourceId, name, onClose, onChanged, children }: ShareDialogProps) {
  const t = useText('share')
  const words = useResourceWords()
  const grants = useInfiniteQuery({
    ...pagesOf(accessRoutes.grants, { query: { resourceType, resourceId, limit: 100 } }),
    staleTime: 0,
  })
  const items = grants.data ?? []
  const changed = async () => {
    await refresh(accessRoutes.grants)
    onChanged?.()
  }
  return (
    <Dialog open onOpenChange={onClose} title={t('title', { name })} description={words(resourceType, 'share')}>
      <GrantForm resourceType={resourceType} resourceId={resourceId} grants={items} onChanged={changed} />
      <h3 className="mt-5 mb-1 text-sm font-medium">{t('who')}</h3>
      {grants.isPending ? (
        <Skeleton lines={2} className="py-2" />
      ) : grants.isError ? (
        <ErrorCard title={t('notLoaded')} details={detailsOf(grants.error)} onRetry={() => void grants.refetch()}>
          {wordsOf(grants.error)}
        </ErrorCard>
      ) : items.length === 0 ? (
        <p className="flex items-center gap-2 py-1.5 text-muted">
          <Lock aria-hidden className="size-4 shrink-0" />
          {t('nobody')}
        </p>
      ) : (
        <ul aria-label={t('who')} className="divide-y divide-line rounded-lg border border-line">
          {items.map((grant) => (
            <GrantRow key={grant.id} grant={grant} onChanged={changed} />
          ))}
        </ul>
      )}
      <MoreButton pages={grants} className="mt-2" />
      {children}
      <TransferThing resourceType={resourceType} resourceId={resourceId} name={name} />
    </Dialog>
  )
}

function GrantRow({ grant, onChanged }: { grant: Grant; onChanged: () => Promise<void> }) {
  const t = useText('share')
  const { principal, resourceType, resourceId, expiresAt } = grant
  const ended = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  const onError = (error: unknown) => toast(wordsOf(error), { tone: 'danger' })
  const change = useMutation({
    mutationFn: (right: Grant['right']) =>
      call(accessRoutes.grant, {
        body: { resourceType, resourceId, principalType: principal.type, principalId: principal.id, right, expiresAt },
      }),
    onSuccess: onChanged,
    onError,
  })
  const revoke = useMutation({
    mutationFn: () => call(accessRoutes.revoke, { params: { id: grant.id } }),
    onSuccess: onChanged,
    onError,
  })
  const rights = rightsOf(t, grant.right)
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 gap-y-1 py-1.5 ps-3 pe-1.5">
      {principal.type === 'account' ? (
        <Monogram name={principal.name} picture={principal.avatar} />
      ) : (
        <UsersRound aria-hidden className="mx-1.5 size-4 shrink-0 text-muted" />
      )}
      <div className="min-w-32 flex-1">
        <p dir="auto" className="truncate font-medium">
          {principal.name}
        </p>
        <p className="text-sm text-muted">
          {[
            t(`kind.${principal.type}`),
            t(`right.${grant.right}`),
            expiresAt !== null && !ended && t('until', { time: formatDateTime(expiresAt) }),
          ]
            .filter(Boolean)
            .join(factSeparator())}
        </p>
      </div>
      {ended && <Badge tone="warn">{t('ended')}</Badge>}
      {rights.length > 1 && (
        <Select
          aria-label={t('rightOf', { name: principal.name })}
          value={grant.right}
          disabled={change.isPending}
          onChange={(right) => change.mutate(right)}
          options={rights}
        />
      )}
      {principal.type === 'account' && <Why grant={grant} />}
      <IconButton
        label={t('revoke', { name: principal.name })}
        icon={<X />}
        size="small"
        disabled={revoke.isPending}
        onClick={() => revoke.mutate()}
      />
    </li>
  )
}
