import { mediaGalleryRoutes, type MediaItem, mediaTypes } from '@atrium/contract/media-gallery'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Images, Upload } from 'lucide-react'
import { useRef } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { queryOf } from '../../api/query.ts'
import { MoreButton } from '../../blocks/more-button.tsx'
import { TranscribeButton } from '../../blocks/transcribe/transcribe-button.tsx'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { useFileDrop } from '../../ui/file-drop.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useText } from 'virtual:words/media-gallery'
import { AlbumHeader } from './albums.tsx'
import { uploadImages } from './changes.ts'
import { Controls } from './controls.tsx'
import { Grid } from './grid.tsx'
import { albumsQuery, itemPages } from './lists.ts'
import { MakeComposer } from './make/composer.tsx'
import { Jobs } from './make/jobs.tsx'
import { usePosters } from './poster.ts'
import type { GallerySearch } from './search.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useSelection } from '../../lib/use-selection.ts'

/** The same while nothing is there. */
const nothing: readonly MediaItem[] = []

/** `/gallery`: everything that was made or uploaded, newest first, narrowed by what the address says. */
export function GalleryPage() {
  const t = useText('media-gallery')
  useTitle(t('title'))
  const search = useSearch({ strict: false }) as GallerySearch
  const navigate = useNavigate()
  const show = (change: GallerySearch) =>
    void navigate({ to: links.gallery(), search: { ...search, ...change } as never, replace: true })
  const picker = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const again = useQuery({
    ...queryOf(mediaGalleryRoutes.read, { params: { mediaId: search.again ?? '' } }),
    enabled: search.again !== undefined,
  })
  const list = useInfiniteQuery(itemPages(search))
  const { data: albums } = useQuery(albumsQuery)
  const upload = useMutation({ mutationFn: uploadImages })
  const dropping = useFileDrop((transfer) => upload.mutate([...transfer.files]))
  const items = list.data ?? nothing
  usePosters(items)
  const selection = useSelection()
  const ticked = items.filter(({ id }) => selection.ids.has(id))
  const isNarrowed = Boolean(search.q || search.kind || search.favourite || search.album)
  const album = albums?.items.find(({ id }) => id === search.album)
  return (
    <div ref={box} className="flex h-full flex-col overflow-y-auto">
      <div className="page-column max-w-none">
        <header className="flex flex-wrap items-center gap-3">
          <h1 ref={heading} tabIndex={-1} className="min-w-0 flex-1 text-xl font-semibold tracking-tight outline-none">
            {t('title')}
          </h1>
          <TranscribeButton of={null} />
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
        <MakeComposer from={again.data ?? null} frameId={search.frame ?? ''} />
        <Jobs />
        <Controls search={search} show={show} albums={albums?.items ?? []} />
        {album && <AlbumHeader album={album} onRemoved={() => show({ album: undefined })} />}
        {ticked.length > 0 && (
          <SelectionBar
            items={ticked}
            albums={albums?.items ?? []}
            onDone={() => {
              selection.set([])
              heading.current?.focus()
            }}
          />
        )}
        {dropping && (
          <p className="rounded-lg border-2 border-dashed border-accent-line p-6 text-center">{t('drop')}</p>
        )}
        {list.isPending && <Skeleton lines={5} />}
        {list.error && (
          <ErrorCard title={t('failed')} details={detailsOf(list.error)} onRetry={() => void list.refetch()}>
            {wordsOf(list.error)}
          </ErrorCard>
        )}
        {list.isSuccess && items.length === 0 && (
          <EmptyState icon={<Images />} title={t(isNarrowed ? 'nothingFound' : 'nothing')}>
            {t(isNarrowed ? 'nothingFoundText' : 'nothingText')}
          </EmptyState>
        )}
        {items.length > 0 && (
          <Grid
            items={items}
            search={search}
            selection={selection}
            box={box}
            hasMore={list.hasNextPage}
            onEnd={() => {
              // What failed is tried again by the button below.
              if (!list.isFetchingNextPage && !list.isFetchNextPageError) void list.fetchNextPage()
            }}
          />
        )}
        <MoreButton pages={list} className="self-center" />
      </div>
    </div>
  )
}
