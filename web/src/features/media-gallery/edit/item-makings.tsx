import type { MediaItem } from '@atrium/contract/media-gallery'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Brush, Clapperboard, Images } from 'lucide-react'
import { wordsOf } from '../../../api/errors.ts'
import { filmPartsOf } from '../../../blocks/media-choices/choices.ts'
import { mediaModelKey, sourcesOf } from '../../../blocks/media-models.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/media-gallery-edit'
import { makeVariation, modelsQuery } from '../make/make.ts'
import { isSource } from '../picture-picker.tsx'

/** What can be made of an item, as far as some model does it. */
export function ItemMakings({ item }: { item: MediaItem }) {
  const t = useText('media-gallery-edit')
  const navigate = useNavigate()
  const { data: models } = useQuery(modelsQuery)
  const vary = useMutation({
    mutationFn: () => makeVariation(item.id),
    onSuccess: ({ items: [first] }) => {
      if (!first) return
      const open = () => void navigate({ to: links.galleryItem(first.id) })
      toast(t('varied', { title: first.title }), { action: { label: t('open'), onClick: open } })
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  if (item.kind !== 'image' || !models) return null
  const own = models.image.find((model) => mediaModelKey(model) === mediaModelKey(item))
  const canEdit = isSource(item) && models.image.some((model) => sourcesOf(model) > 0)
  const canVary = own !== undefined && item.prompt !== '' && (sourcesOf(own) === 0 || isSource(item))
  const canFilm = isSource(item) && models.video.some((model) => filmPartsOf(model).first)
  if (!canEdit && !canVary && !canFilm) return null
  return (
    <div className="flex flex-wrap gap-2">
      {canEdit && (
        <Button asChild size="small">
          <Link to={`${links.galleryItem(item.id)}/edit`}>
            <Brush aria-hidden className="size-3.5" />
            {t('edit')}
          </Link>
        </Button>
      )}
      {canVary && (
        <Button size="small" icon={<Images className="size-3.5" />} busy={vary.isPending} onClick={() => vary.mutate()}>
          {t(vary.isPending ? 'making' : 'moreLikeThis')}
        </Button>
      )}
      {canFilm && (
        <Button asChild size="small">
          <Link to={links.gallery()} search={{ frame: item.id } as never}>
            <Clapperboard aria-hidden className="size-3.5" />
            {t('makeVideo')}
          </Link>
        </Button>
      )}
    </div>
  )
}
