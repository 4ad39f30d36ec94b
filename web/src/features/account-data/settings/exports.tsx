import { type AccountExport, accountDataRoutes } from '@atrium/contract/account-data'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Archive, Download, Trash2 } from 'lucide-react'
import { useEffect } from 'react'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { formatDay, formatDateTime, formatSize } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/account-data'

/** One archive of everything the account has, made on the server. */
export function Exports() {
  const t = useText('account-data')
  const exports = useQuery({ ...queryOf(accountDataRoutes.ownExports), staleTime: 0 })
  useEffect(() => onAccountEvent('exports-changed', () => void refresh(accountDataRoutes.ownExports)), [])
  const order = useMutation({
    mutationFn: () => call(accountDataRoutes.exportOwn),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(accountDataRoutes.ownExports),
  })
  const isRunning = exports.data?.items.some(({ state }) => state === 'running') ?? false
  return (
    <section id="export" className="-mx-3 rounded-lg px-3">
      <Group title={t('export.title')} text={t('export.text')}>
        <QueryView query={exports}>
          {({ items }) => (
            <ul className="mt-1">
              {items.map((item) => (
                <Row key={item.id} item={item} />
              ))}
            </ul>
          )}
        </QueryView>
        <Button
          className="mt-3"
          icon={<Archive className="size-4" />}
          busy={order.isPending}
          disabled={isRunning}
          onClick={() => order.mutate()}
        >
          {t('export.make')}
        </Button>
      </Group>
    </section>
  )
}

function Row({ item }: { item: AccountExport }) {
  const t = useText('account-data')
  const remove = useMutation({
    mutationFn: () => call(accountDataRoutes.removeExport, { params: { id: item.id } }),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(accountDataRoutes.ownExports),
  })
  const isReady = item.state === 'ready'
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-2.5">
      <div className="min-w-44 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span>{t('export.of', { when: formatDateTime(item.createdAt) })}</span>
          {item.state === 'failed' && <Badge tone="danger">{t('export.failed')}</Badge>}
          {item.byAdministrator && <Badge>{t('export.byAdministrator')}</Badge>}
        </p>
        <p className="text-sm text-muted">
          {isReady && item.sizeBytes !== null && <>{formatSize(item.sizeBytes)} · </>}
          {t('export.until', { when: formatDay(item.expiresAt) })}
        </p>
      </div>
      {item.state === 'running' && (
        <span role="status" className="flex items-center gap-2 text-sm text-muted">
          <Spinner size={14} /> {t('export.running')}
        </span>
      )}
      {isReady && (
        <Button size="small" icon={<Download className="size-3.5" />} asChild>
          <a href={accountDataRoutes.ownExport.path.replace('{id}', encodeURIComponent(item.id))} download>
            {t('export.download')}
          </a>
        </Button>
      )}
      {item.state !== 'running' && (
        <IconButton label={t('export.remove')} icon={<Trash2 />} onClick={() => remove.mutate()} />
      )}
    </li>
  )
}
