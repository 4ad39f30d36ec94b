import { type Backup, type Backups, recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { formatDateTime, formatSize } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/recovery-backup'

const shownAtOnce = 20

/** The backups that there are, and what cannot be read of them. A destination may be slow. */
export function BackupItems() {
  const t = useText('recovery-backup')
  const backups = useQuery(queryOf(routes.backups))
  return (
    <Section id="list" title={t('list')} text={t('listText')}>
      <QueryView query={backups} title={t('backupsNotLoaded')} lines={3}>
        {(list) => <Items list={list} />}
      </QueryView>
    </Section>
  )
}

function Items({ list: { items, problems } }: { list: Backups }) {
  const t = useText('recovery-backup')
  const destinations = useQuery(queryOf(routes.destinations))
  const [shown, setShown] = useState(shownAtOnce)
  const [removing, setRemoving] = useState<Backup | null>(null)
  const remove = useMutation({
    mutationFn: ({ id, destinationId }: Backup) =>
      call(routes.removeBackup, { params: { id }, query: { destinationId } }),
    onSuccess: () => setRemoving(null),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(routes.backups),
  })
  const nameOf = (destinationId: string) =>
    destinations.data?.items.find(({ id }) => id === destinationId)?.name ?? destinationId
  return (
    <>
      {problems.map(({ destinationId, id, detail }) => (
        <p key={`${destinationId} ${id}`} role="alert" className="py-1.5 text-sm text-danger-ink">
          <bdi>{nameOf(destinationId)}</bdi>: <bdi>{detail}</bdi>
        </p>
      ))}
      {items.length === 0 && problems.every(({ id }) => id !== null) && (
        <p className="py-2 text-sm text-muted">{t('noBackups')}</p>
      )}
      <ul>
        {items.slice(0, shown).map((backup) => {
          const time = formatDateTime(backup.createdAt)
          return (
            <li
              key={`${backup.destinationId} ${backup.id}`}
              className="flex flex-wrap items-center gap-2 border-b border-line py-2.5"
            >
              <div className="min-w-40 flex-1">
                <time dateTime={backup.createdAt} className="font-medium">
                  {time}
                </time>
                <p className="text-sm text-muted">
                  <bdi>{nameOf(backup.destinationId)}</bdi>
                  {' · '}
                  {t('sizes', { stored: formatSize(backup.storedBytes), sent: formatSize(backup.sentBytes) })}
                </p>
              </div>
              <Button size="small" aria-label={t('deleteNamed', { time })} onClick={() => setRemoving(backup)}>
                {t('delete')}
              </Button>
            </li>
          )
        })}
      </ul>
      {items.length > shown && (
        <Button className="mt-3" onClick={() => setShown(shown + shownAtOnce)}>
          {t('more')}
        </Button>
      )}
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        title={removing ? t('deleteTitle', { time: formatDateTime(removing.createdAt) }) : ''}
        confirm={t('delete')}
        danger
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing)}
      >
        {t('deleteText')}
      </ConfirmDialog>
    </>
  )
}
