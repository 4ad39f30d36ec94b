import { type BackupDestination, recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Cloud, Folder, Globe, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { DestinationForm } from './destination-form.tsx'
import { addressOf } from './draft.ts'
import { Trial } from './trial.tsx'
import { useText } from 'virtual:words/recovery-backup'

const icons = { folder: Folder, s3: Cloud, webdav: Globe } as const

/** Where backups are kept, each with a test. */
export function Destinations() {
  const t = useText('recovery-backup')
  const destinations = useQuery(queryOf(routes.destinations))
  const [editing, setEditing] = useState<BackupDestination | 'new' | null>(null)
  const [removing, setRemoving] = useState<BackupDestination | null>(null)
  const remove = useMutation({
    mutationFn: ({ id }: BackupDestination) => call(routes.removeDestination, { params: { id } }),
    onSuccess: () => setRemoving(null),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => {
      void refresh(routes.destinations)
      void refresh(routes.backupsState)
    },
  })
  const add = <Button onClick={() => setEditing('new')}>{t('add')}</Button>
  return (
    <Section id="destinations" title={t('destinations')} text={t('destinationsText')}>
      <QueryView query={destinations} title={t('destinationsNotLoaded')}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<Folder />} title={t('noDestinations')} action={add}>
              {t('noDestinationsText')}
            </EmptyState>
          ) : (
            <>
              <ul>
                {items.map((item) => (
                  <Item key={item.id} item={item} onEdit={() => setEditing(item)} onRemove={() => setRemoving(item)} />
                ))}
              </ul>
              <div className="mt-3">{add}</div>
            </>
          )
        }
      </QueryView>
      {editing !== null && (
        <DestinationForm before={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        title={removing ? t('removeTitle', { name: removing.name }) : ''}
        confirm={t('remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing)}
      >
        {t('removeText')}
      </ConfirmDialog>
    </Section>
  )
}

function Item({ item, onEdit, onRemove }: { item: BackupDestination; onEdit: () => void; onRemove: () => void }) {
  const t = useText('recovery-backup')
  const { id, name, place, source, onDataDisk } = item
  const Icon = icons[place.kind]
  const state = useQuery(queryOf(routes.backupsState))
  const known = state.data?.destinations.find(({ destinationId }) => destinationId === id)
  const trial = useMutation({ mutationFn: () => call(routes.testDestination, { params: { id } }) })
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        <div className="min-w-40 flex-1">
          <p className="flex flex-wrap items-center gap-2">
            <bdi className="font-medium">{name}</bdi>
            {source === 'environment' && <Badge tone="info">{t('fixedBy', { name })}</Badge>}
          </p>
          <p className="text-sm text-muted">
            {t(`kind.${place.kind}`)}
            {' · '}
            <bdi dir="ltr" className="break-all">
              {addressOf(place)}
            </bdi>
          </p>
          {known && (
            <p className={known.lastFailure ? 'text-sm text-danger-ink' : 'text-sm text-muted'}>
              {known.lastMadeAt
                ? t('lastMade', { ago: formatAgo(known.lastMadeAt), time: formatDateTime(known.lastMadeAt) })
                : t('neverMade')}{' '}
              {known.lastFailure && t('lastFailed', { time: formatDateTime(known.lastFailure.at) })}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            busy={trial.isPending}
            aria-label={t('testNamed', { name })}
            onClick={() => trial.mutate()}
          >
            {t('test')}
          </Button>
          {source === 'saved' && (
            <>
              <Button size="small" aria-label={t('editNamed', { name })} onClick={onEdit}>
                {t('edit')}
              </Button>
              <Button size="small" aria-label={t('removeNamed', { name })} onClick={onRemove}>
                {t('remove')}
              </Button>
            </>
          )}
        </div>
      </div>
      {onDataDisk && (
        <p className="mt-2 flex items-start gap-1.5 text-sm text-warn-ink">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t('onDataDisk')}
        </p>
      )}
      <Trial name={name} pending={trial.isPending} data={trial.data} error={trial.error} />
    </li>
  )
}
