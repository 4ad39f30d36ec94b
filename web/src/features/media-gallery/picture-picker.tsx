import type { MediaItem } from '@atrium/contract/media-gallery'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Images } from 'lucide-react'
import { useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { MoreButton } from '../../blocks/more-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/media-gallery'
import { SearchField } from './controls.tsx'
import { itemPages } from './lists.ts'

/** The largest picture that a new one is made from, and the types of them. */
const maxSourceBytes = 10 * 1024 * 1024
const sourceTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp'])

/** Whether something can be made from an item. */
export const isSource = ({ kind, mimeType, bytes }: Pick<MediaItem, 'kind' | 'mimeType' | 'bytes'>): boolean =>
  kind === 'image' && sourceTypes.has(mimeType) && bytes <= maxSourceBytes

/** Lets one picture of the gallery be chosen, to make something from. */
export function PicturePicker({
  title,
  without,
  onPick,
  onClose,
}: {
  title: string
  /** Ids of those that are chosen already. */
  without: readonly string[]
  onPick: (item: MediaItem) => void
  onClose: () => void
}) {
  const t = useText('media-gallery')
  const [q, setQ] = useState('')
  const list = useInfiniteQuery(itemPages({ kind: 'image', q: q || undefined }))
  const items = (list.data ?? []).filter((item) => isSource(item) && !without.includes(item.id))
  return (
    <Dialog open onOpenChange={onClose} title={title} width="wide">
      <div className="flex flex-col gap-3">
        <SearchField q={q} onChange={setQ} />
        {list.isPending && <Skeleton lines={4} />}
        {list.error && (
          <ErrorCard title={t('failed')} details={detailsOf(list.error)} onRetry={() => void list.refetch()}>
            {wordsOf(list.error)}
          </ErrorCard>
        )}
        {list.isSuccess && items.length === 0 && <EmptyState icon={<Images />} title={t('nothingFound')} />}
        <ul
          aria-label={t('kind.image')}
          className="grid grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] gap-2 max-tab:grid-cols-3"
        >
          {items.map((item) => (
            <li key={item.id}>
              <button
                type="button"
                aria-label={item.title}
                title={item.title}
                className="block aspect-square w-full overflow-hidden rounded-md border border-line bg-sunken hover:border-accent"
                onClick={() => {
                  onPick(item)
                  onClose()
                }}
              >
                <img
                  src={item.thumbnail ?? item.mediaData}
                  alt=""
                  loading="lazy"
                  decoding="async"
                  className="size-full object-contain"
                />
              </button>
            </li>
          ))}
        </ul>
        <MoreButton pages={list} className="self-center" />
      </div>
    </Dialog>
  )
}
