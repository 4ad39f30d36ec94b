import { mediaGalleryRoutes as routes, type MediaItem, type MediaModel } from '@atrium/contract/media-gallery'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, Brush } from 'lucide-react'
import { useState } from 'react'
import { queryOf } from '../../../api/query.ts'
import { sourcesOf } from '../../../blocks/media-models.ts'
import type { Size } from '../../../blocks/picture-mask/mask.ts'
import { MaskedPicture } from '../../../blocks/picture-mask/masked-picture.tsx'
import { useMask } from '../../../blocks/picture-mask/use-mask.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useText } from 'virtual:words/media-gallery-edit'
import { modelsQuery } from '../make/make.ts'
import { isSource } from '../picture-picker.tsx'
import { EditForm } from './edit-form.tsx'

/** `/gallery/<id>/edit`: a picture is drawn anew from one of the gallery, all of it or what is painted over. */
export function EditPage() {
  const t = useText('media-gallery-edit')
  const { mediaId = '' } = useParams({ strict: false }) as { mediaId?: string }
  const item = useQuery(queryOf(routes.read, { params: { mediaId } }))
  const models = useQuery(modelsQuery)
  useTitle(t('title'))
  const able = (models.data?.image ?? []).filter((model) => sourcesOf(model) > 0)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex shrink-0 items-center gap-1 border-b border-line px-3 py-1.5">
        <Link
          to={links.galleryItem(mediaId)}
          className="hit inline-flex h-control min-w-0 items-center gap-1.5 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4 shrink-0" />
          <span dir="auto" className="max-w-48 truncate max-tab:sr-only">
            {item.data?.title ?? t('back')}
          </span>
        </Link>
        <h1 className="min-w-0 flex-1 truncate px-2 text-center font-medium">{t('title')}</h1>
      </header>
      {!(item.data && models.data) && (
        <div className="p-6">
          <QueryView query={item.data ? models : item} title={t('failed')} lines={5} />
        </div>
      )}
      {item.data &&
        models.data &&
        (able.length > 0 && isSource(item.data) ? (
          <Editor key={mediaId} item={item.data} models={able} />
        ) : (
          <EmptyState icon={<Brush />} title={t('impossible')}>
            {t(able.length === 0 ? 'noModel' : 'noSource')}
          </EmptyState>
        ))}
    </div>
  )
}

function Editor({ item, models }: { item: MediaItem; models: readonly MediaModel[] }) {
  const { width, height } = item
  const [size, setSize] = useState<Size | null>(width && height ? { width, height } : null)
  const mask = useMask(size)
  return (
    <div className="flex min-h-0 flex-1 max-desk:flex-col max-desk:overflow-y-auto">
      <div className="min-w-0 flex-1 bg-sunken p-3 max-desk:sticky max-desk:top-0 max-desk:z-1 max-desk:h-[40dvh] max-desk:flex-none">
        <MaskedPicture src={item.mediaData} alt={item.alt || item.title} size={size} onSize={setSize} mask={mask} />
      </div>
      <EditForm item={item} models={models} size={size} mask={mask} />
    </div>
  )
}
