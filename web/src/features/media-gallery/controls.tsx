import type { MediaAlbum } from '@atrium/contract/media-gallery'
import { Search, Star } from 'lucide-react'
import { useSearchWords } from '../../blocks/search-words.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Select } from '../../ui/select.tsx'
import { useText } from 'virtual:words/media-gallery'
import { type GallerySearch, kinds } from './search.ts'

/** What the list is narrowed to: words, kind, favourites, an album. */
export function Controls({
  search,
  show,
  albums,
}: {
  search: GallerySearch
  show: (change: GallerySearch) => void
  albums: readonly MediaAlbum[]
}) {
  const t = useText('media-gallery')
  return (
    <div role="search" aria-label={t('narrow')} className="flex flex-wrap items-center gap-2">
      <SearchField q={search.q ?? ''} onChange={(q) => show({ q: q || undefined })} />
      <SegmentedControl
        label={t('kinds')}
        value={search.kind ?? 'all'}
        onChange={(kind) => show({ kind: kind === 'all' ? undefined : kind })}
        options={(['all', ...kinds] as const).map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      <Button
        aria-pressed={search.favourite === true}
        icon={<Star className={search.favourite ? 'size-4 fill-current text-warn-ink' : 'size-4'} />}
        onClick={() => show({ favourite: search.favourite ? undefined : true })}
      >
        {t('favourites')}
      </Button>
      {albums.length > 0 && (
        <Select
          aria-label={t('album')}
          className="w-44"
          value={search.album ?? ''}
          options={[
            { value: '', label: t('allAlbums') },
            ...albums.map(({ id, name, count }) => ({ value: id, label: t('albumOf', { name, count }) })),
          ]}
          onChange={(album) => show({ album: album || undefined })}
        />
      )}
    </div>
  )
}

/** Asks a moment after the last letter. */
export function SearchField({ q, onChange }: { q: string; onChange: (q: string) => void }) {
  const t = useText('media-gallery')
  const [text, setText] = useSearchWords(q, onChange)
  return (
    <Input
      type="search"
      aria-label={t('search')}
      placeholder={t('search')}
      icon={<Search />}
      className="tab:max-w-72"
      dir="auto"
      maxLength={400}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
