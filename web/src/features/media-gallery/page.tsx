import { mediaGalleryRoutes, mediaTypes } from '@atrium/contract/media-gallery'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Images, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { pagesOf } from '../../api/pages.ts'
import { MoreButton } from '../../blocks/more-button.tsx'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/media-gallery'
import { uploadImages } from './changes.ts'
import { Tile } from './tile.tsx'

const shown = ['all', 'image', 'video', 'audio'] as const

/** `/gallery`: everything that was made or uploaded, newest first. */
export function GalleryPage() {
  const t = useText('media-gallery')
  useTitle(t('title'))
  const heading = useRef<HTMLHeadingElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const [kind, setKind] = useState<(typeof shown)[number]>('all')
  const list = useInfiniteQuery(
    pagesOf(mediaGalleryRoutes.list, { query: { limit: 60, kind: kind === 'all' ? undefined : kind } }),
  )
  const upload = useMutation({ mutationFn: uploadImages })
  const items = list.data ?? []
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="mx-auto flex w-full max-w-page flex-col gap-4 px-4 py-6">
        <header className="flex flex-wrap items-center gap-3">
          <h1 ref={heading} tabIndex={-1} className="min-w-0 flex-1 text-xl font-semibold tracking-tight outline-none">
            {t('title')}
          </h1>
          <Button
            tone="primary"
            icon={<Upload className="size-4" />}
            busy={upload.isPending}
            onClick={() => picker.current?.click()}
          >
            {upload.isPending ? t('uploading') : t('upload')}
          </Button>
          <FilePicker picker={picker} accept={mediaTypes.image.join(',')} onFiles={(files) => upload.mutate(files)} />
        </header>
        <SegmentedControl
          label={t('kinds')}
          value={kind}
          onChange={setKind}
          options={shown.map((value) => ({ value, label: t(`kind.${value}`) }))}
          className="self-start"
        />
        {list.isPending && <Skeleton lines={5} />}
        {list.error && (
          <ErrorCard title={t('failed')} details={detailsOf(list.error)} onRetry={() => void list.refetch()}>
            {wordsOf(list.error)}
          </ErrorCard>
        )}
        {list.isSuccess && items.length === 0 && (
          <EmptyState icon={<Images />} title={t(kind === 'all' ? 'nothing' : 'nothingOfKind')}>
            {t('nothingText')}
          </EmptyState>
        )}
        {items.length > 0 && (
          <ul aria-label={t('title')} className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3">
            {items.map((item) => (
              <Tile key={item.id} item={item} onRemoved={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
        <MoreButton pages={list} className="self-center" />
      </div>
    </div>
  )
}
