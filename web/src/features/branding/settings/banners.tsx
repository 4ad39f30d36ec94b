import { brandingRoutes, type ListedBanner } from '@atrium/contract/branding'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Info, Megaphone, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { factSeparator, formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { BannerForm } from './banner-form.tsx'
import { useText } from 'virtual:words/branding'

/** What is told to everybody: now, later, and what was. */
export function Banners() {
  const t = useText('branding')
  const banners = useQuery({ ...queryOf(brandingRoutes.allBanners), staleTime: 0 })
  const [editing, setEditing] = useState<ListedBanner | 'new' | null>(null)
  const [removing, setRemoving] = useState<ListedBanner | null>(null)
  const remove = useMutation({
    mutationFn: ({ id }: ListedBanner) => call(brandingRoutes.deleteBanner, { params: { id } }),
    onSuccess: () => setRemoving(null),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(brandingRoutes.allBanners),
  })
  const add = <Button onClick={() => setEditing('new')}>{t('banner.add')}</Button>
  return (
    <Section id="banners" title={t('entry.banners')} text={t('bannersText')}>
      <QueryView query={banners}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<Megaphone />} title={t('banner.none')} action={add}>
              {t('banner.noneText')}
            </EmptyState>
          ) : (
            <>
              <ul>
                {items.map((banner) => (
                  <Item
                    key={banner.id}
                    banner={banner}
                    onEdit={() => setEditing(banner)}
                    onRemove={() => setRemoving(banner)}
                  />
                ))}
              </ul>
              <div className="mt-3">{add}</div>
            </>
          )
        }
      </QueryView>
      {editing !== null && <BannerForm before={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        title={t('banner.deleteTitle')}
        confirm={t('banner.delete')}
        danger
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing)}
      >
        {t('banner.deleteText')}
      </ConfirmDialog>
    </Section>
  )
}

function Item({ banner, onEdit, onRemove }: { banner: ListedBanner; onEdit: () => void; onRemove: () => void }) {
  const t = useText('branding')
  const { text, kind, startsAt, endsAt, state } = banner
  const Icon = kind === 'warning' ? TriangleAlert : Info
  const facts = [
    t(`banner.kind.${kind}`),
    startsAt && t('banner.from', { time: formatDateTime(startsAt) }),
    endsAt && t('banner.until', { time: formatDateTime(endsAt) }),
    banner.public && t('banner.isPublic'),
    !banner.dismissible && t('banner.isFixed'),
  ]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-40 flex-1">
        <p className="line-clamp-3 [overflow-wrap:anywhere]">
          <bdi>{text}</bdi>
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          <Badge tone={state === 'shown' ? 'ok' : 'plain'}>{t(`banner.state.${state}`)}</Badge>
          {facts.filter(Boolean).join(factSeparator())}
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="small" aria-label={t('banner.editNamed', { text })} onClick={onEdit}>
          {t('banner.edit')}
        </Button>
        <Button size="small" aria-label={t('banner.deleteNamed', { text })} onClick={onRemove}>
          {t('banner.delete')}
        </Button>
      </div>
    </li>
  )
}
