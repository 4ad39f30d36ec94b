import { type Storage, accountDataRoutes } from '@atrium/contract/account-data'
import { artifactsRoutes } from '@atrium/contract/artifacts'
import { chatRoutes } from '@atrium/contract/chat'
import { codeInterpreterRoutes } from '@atrium/contract/code-interpreter'
import { documentsRoutes } from '@atrium/contract/documents'
import { mediaGalleryRoutes } from '@atrium/contract/media-gallery'
import { trashRoutes } from '@atrium/contract/trash'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { announce } from '../../../lib/announce.ts'
import { formatNumber, formatSize } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { resourceDisplay } from '../../../lib/resources.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/account-data'
import { OfflineRow } from './offline.tsx'

type StoredItem = Storage['largest'][number]

/** What the account keeps: against its quota, by kind, and the largest. */
export function OwnStorage() {
  const storage = useQuery({ ...queryOf(accountDataRoutes.ownStorage), staleTime: 0 })
  return (
    <QueryView query={storage}>
      {(data) => (
        <>
          <Kinds storage={data} />
          <Largest items={data.largest} />
          <OfflineRow />
        </>
      )}
    </QueryView>
  )
}

function Kinds({ storage: { usedBytes, quotaBytes, kinds } }: { storage: Storage }) {
  const t = useText('account-data')
  const trashedBytes = kinds.reduce((sum, kind) => sum + kind.trashedBytes, 0)
  const used = formatSize(usedBytes)
  return (
    <section id="usage" className="-mx-3 rounded-lg px-3">
      <Group title={t('storage.title')} text={t('storage.text')}>
        <p className="mt-2 font-medium">
          {quotaBytes === null
            ? t('storage.usedOnly', { used })
            : t('storage.used', { used, quota: formatSize(quotaBytes) })}
        </p>
        {quotaBytes !== null && (
          <Progress label={t('storage.title')} share={usedBytes / quotaBytes} className="mt-2 w-full" />
        )}
        <dl className="mt-3">
          {kinds.map(({ kind, count, bytes }) => (
            <Fact key={kind} name={t(`storage.kind.${kind}`)} value={formatSize(bytes)} count={count} />
          ))}
          {trashedBytes > 0 && (
            <Fact
              name={
                <Link to={links.trash()} className="font-medium text-accent-ink underline underline-offset-2">
                  {t('storage.inTrash')}
                </Link>
              }
              value={formatSize(trashedBytes)}
            />
          )}
        </dl>
      </Group>
    </section>
  )
}

function Fact({ name, value, count }: { name: ReactNode; value: string; count?: number }) {
  return (
    <div className="flex items-baseline gap-3 border-b border-line py-2.5">
      <dt className="min-w-0 flex-1">
        {name}
        {count !== undefined && <span className="ms-2 text-sm text-muted">{formatNumber(count)}</span>}
      </dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  )
}

function Largest({ items }: { items: readonly StoredItem[] }) {
  const t = useText('account-data')
  return (
    <section id="largest" className="-mx-3 mt-8 rounded-lg px-3">
      <Group title={t('storage.largest')} text={t('storage.largestText')}>
        {items.length === 0 ? (
          <p className="py-2 text-muted">{t('storage.none')}</p>
        ) : (
          <ul aria-label={t('storage.largest')}>
            {items.map((item) => (
              <ItemRow key={`${item.kind} ${item.id}`} item={item} />
            ))}
          </ul>
        )}
      </Group>
    </section>
  )
}

function ItemRow({ item }: { item: StoredItem }) {
  const t = useText('account-data')
  const { kind, id, name, bytes, chatId, trashed } = item
  const forGood = trashed || kind === 'code-file' || kind === 'message'
  const remove = useMutation({
    // What stands by itself goes to the trash first, and from there for good; only then is its room free.
    mutationFn: (): Promise<unknown> => {
      if (trashed) return call(trashRoutes.remove, { params: { id } })
      return removeItem(item)
    },
    onSuccess: async () => {
      announce(t(forGood ? 'storage.removed' : 'storage.trashed', { name }))
      await refresh(accountDataRoutes.ownStorage)
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const isAttachment = kind === 'message'
  const Icon = resourceDisplay(kind)?.icon
  const to = linkOf(item)
  const label = (
    <bdi className="block truncate" title={name}>
      {name}
    </bdi>
  )
  return (
    <li className="flex items-center gap-2.5 border-b border-line py-1.5">
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
      <span className="min-w-0 flex-1">
        {to === null ? (
          label
        ) : (
          <Link to={to} className="block font-medium hover:underline">
            {label}
          </Link>
        )}
        {isAttachment && (
          <span className="block text-sm text-muted">{t(chatId ? 'storage.inChat' : 'storage.unsent')}</span>
        )}
      </span>
      {trashed && <Badge>{t('storage.isTrashed')}</Badge>}
      <span className="shrink-0 text-muted tabular-nums">{formatSize(bytes)}</span>
      {!isAttachment || chatId === null ? (
        <IconButton
          label={t(forGood ? 'storage.removeForGood' : 'storage.remove', { name })}
          icon={<Trash2 />}
          size="small"
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        />
      ) : (
        <span aria-hidden className="size-7 shrink-0" />
      )}
    </li>
  )
}

const removeItem = ({ kind, id }: StoredItem): Promise<unknown> => {
  switch (kind) {
    case 'artifact':
      return call(artifactsRoutes.remove, { params: { artifactId: id } })
    case 'code-file':
      return call(codeInterpreterRoutes.removeFile, { params: { fileId: id } })
    case 'message':
      return call(chatRoutes.removeAttachment, { params: { attachmentId: id } })
    case 'media':
      return call(mediaGalleryRoutes.remove, { params: { mediaId: id } })
    default:
      return call(documentsRoutes.remove, { params: { documentId: id } })
  }
}

/** Where an item opens; nothing in the trash does. */
function linkOf({ kind, id, chatId, trashed }: StoredItem): string | null {
  if (trashed) return null
  if (kind === 'message' || kind === 'code-file') return chatId === null ? null : links.chat(chatId)
  return resourceDisplay(kind)?.link({ id }) ?? null
}
