import { mediaGalleryRoutes as routes, type MediaItem } from '@atrium/contract/media-gallery'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, Download, FolderPlus, Maximize, Star, Trash2 } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { queryOf } from '../../api/query.ts'
import { QueryView } from '../../blocks/setting-row/query-view.tsx'
import { TranscribeButton } from '../../blocks/transcribe/transcribe-button.tsx'
import { links } from '../../lib/links.ts'
import { useTitle } from '../../lib/title.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useText } from 'virtual:words/media-gallery'
import { AlbumItems, NewAlbumDialog } from './albums.tsx'
import { removeItems, setFavourite } from './changes.ts'
import { ItemFacts } from './item-facts.tsx'
import { albumsQuery, itemPages } from './lists.ts'
import { PutInChat } from './put-in-chat.tsx'
import type { GallerySearch } from './search.ts'
import { Media } from './view/media.tsx'
import { NeighbourButton } from './view/neighbour-button.tsx'
import { Viewer } from './view/viewer.tsx'

/** `/gallery/<id>`: one item, large, with what is known of it, and the way to its neighbours in the list. */
export function ItemPage() {
  const t = useText('media-gallery')
  const { mediaId = '' } = useParams({ strict: false }) as { mediaId?: string }
  const search = useSearch({ strict: false }) as GallerySearch
  const item = useQuery(queryOf(routes.read, { params: { mediaId } }))
  useTitle(item.data?.title ?? t('title'))
  const { previous, next, go } = useNeighbours(mediaId, search)
  const [isFull, setFull] = useState(false)
  useLayoutEffect(() => {
    // The viewer has keys of its own.
    if (isFull) return
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, defaultPrevented, target, altKey, ctrlKey, metaKey } = event
      if (defaultPrevented || altKey || ctrlKey || metaKey) return
      if (target instanceof Element && target.closest('input,textarea,select,video,audio,[role="menu"]')) return
      const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
      const back = document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
      if (key === forward && next) go(next)
      else if (key === back && previous) go(previous)
      else if (key === 'f') setFull(true)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex shrink-0 items-center gap-1 border-b border-line px-3 py-1.5">
        <Link
          to={links.gallery()}
          search={{ ...search } as never}
          className="hit inline-flex h-control items-center gap-1.5 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" />
          <span className="max-tab:sr-only">{t('title')}</span>
        </Link>
        <h1 dir="auto" className="min-w-0 flex-1 truncate px-2 text-center font-medium">
          {item.data?.title ?? t('title')}
        </h1>
        {item.data && <Actions item={item.data} onRemoved={() => go(next ?? previous ?? null)} />}
      </header>
      {!item.data && (
        <div className="p-6">
          <QueryView query={item} title={t('itemFailed')} lines={5} />
        </div>
      )}
      {item.data && (
        <div className="flex min-h-0 flex-1 max-desk:flex-col max-desk:overflow-y-auto">
          <div className="relative grid min-h-80 min-w-0 place-items-center bg-sunken p-3 max-desk:shrink-0 desk:flex-1">
            <Media item={item.data} />
            {previous && <NeighbourButton way="previous" onGo={() => go(previous)} />}
            {next && <NeighbourButton way="next" onGo={() => go(next)} />}
            <IconButton
              label={t('fullScreen')}
              icon={<Maximize />}
              keys="F"
              tone="plain"
              className="absolute! end-3 top-3"
              onClick={() => setFull(true)}
            />
          </div>
          <ItemFacts key={item.data.id} item={item.data} />
        </div>
      )}
      {isFull && item.data && (
        <Viewer item={item.data} previous={previous} next={next} onGo={go} onClose={() => setFull(false)} />
      )}
    </div>
  )
}

/** The items beside one in the list that its address names, as far as that was fetched. */
function useNeighbours(mediaId: string, search: GallerySearch) {
  const navigate = useNavigate()
  const { data: items = [] } = useInfiniteQuery(itemPages(search))
  const at = items.findIndex(({ id }) => id === mediaId)
  const go = (id: string | null) =>
    void navigate({
      to: id === null ? links.gallery() : links.galleryItem(id),
      search: { ...search } as never,
      replace: true,
    })
  return {
    previous: at > 0 ? items[at - 1]?.id : undefined,
    next: at >= 0 ? items[at + 1]?.id : undefined,
    go,
  }
}

function Actions({ item, onRemoved }: { item: MediaItem; onRemoved: () => void }) {
  const t = useText('media-gallery')
  const [naming, setNaming] = useState(false)
  const { data: albums } = useQuery(albumsQuery)
  return (
    <>
      <IconButton
        label={t(item.favourite ? 'unfavourite' : 'addFavourite')}
        icon={<Star className={item.favourite ? 'fill-current text-warn-ink' : ''} />}
        pressed={item.favourite}
        onClick={() => void setFavourite([item], !item.favourite)}
      />
      <PutInChat item={item} />
      <Menu trigger={<IconButton label={t('albums')} icon={<FolderPlus />} />}>
        <AlbumItems items={[item]} albums={albums?.items ?? []} onNew={() => setNaming(true)} />
      </Menu>
      {item.kind !== 'image' && (
        <TranscribeButton of={{ name: item.title, load: async () => (await fetch(item.mediaData)).blob() }} />
      )}
      <a
        href={`${item.mediaData}?download=1`}
        download
        aria-label={t('download')}
        className="hit inline-grid size-control place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <Download aria-hidden className="size-4" />
      </a>
      <IconButton
        label={t('toTrash')}
        icon={<Trash2 />}
        onClick={() => {
          onRemoved()
          void removeItems([item])
        }}
      />
      {naming && <NewAlbumDialog items={[item]} onClose={() => setNaming(false)} />}
    </>
  )
}
