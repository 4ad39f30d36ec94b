import { mediaGalleryRoutes as routes, type MediaItem } from '@atrium/contract/media-gallery'
import { toRequest } from '@atrium/contract/request'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { failureOf } from '../../api/errors.ts'
import { pagesOf } from '../../api/pages.ts'
import { CopyButton } from '../../blocks/copy-button.tsx'
import { useMediaWords } from '../../blocks/media-words/media-words.ts'
import { formatDateTime, formatDuration, formatNumber, formatSize } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, TextArea } from '../../ui/input.tsx'
import { useText } from 'virtual:words/media-gallery'
import { describeItem } from './changes.ts'
import { ItemMakings } from './edit/item-makings.tsx'

/** What is known of an item: how it was made, what it is, what was made of it; and what can be said of it. */
export function ItemFacts({ item }: { item: MediaItem }) {
  const t = useText('media-gallery')
  const { prompt, model, width, height, durationMs, bytes, mimeType, createdAt, sources, chatId, options } = item
  const { fieldName, valueName } = useMediaWords()
  const derived = useInfiniteQuery(pagesOf(routes.derived, { params: { mediaId: item.id }, query: { limit: 24 } }))
  const facts: [string, string | null][] = [
    [t('fact.model'), model],
    [t('fact.created'), formatDateTime(createdAt)],
    [
      t('fact.size'),
      width && height ? t('pixels', { width: formatNumber(width), height: formatNumber(height) }) : null,
    ],
    [t('fact.duration'), durationMs === null ? null : formatDuration(durationMs)],
    [t('fact.type'), `${formatSize(bytes)}, ${mimeType.split('/')[1]?.toUpperCase() ?? mimeType}`],
    ...Object.entries(options).flatMap(([field, value]): [string, string][] => {
      const name = fieldName(field)
      const isSaid = typeof value === 'string' || typeof value === 'number'
      return name !== null && isSaid ? [[name, valueName(field, String(value))]] : []
    }),
  ]
  return (
    <aside
      aria-label={t('facts')}
      className="flex flex-col gap-5 overflow-y-auto border-line p-4 max-desk:border-t desk:w-80 desk:border-s"
    >
      <ItemMakings item={item} />
      <Words item={item} />
      {prompt && (
        <section>
          <h2 className="flex items-center gap-1 text-sm font-semibold">
            {t('prompt')}
            <CopyButton text={prompt} label={t('copyPrompt')} />
          </h2>
          <p dir="auto" className="mt-1 text-sm whitespace-pre-wrap wrap-anywhere">
            {prompt}
          </p>
          {model && (
            <Link
              to={links.gallery()}
              search={{ again: item.id } as never}
              className="mt-1.5 inline-block text-sm text-accent-ink underline"
            >
              {t('again')}
            </Link>
          )}
        </section>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="min-w-0 wrap-anywhere">
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      {chatId && (
        <Link to={links.chat(chatId)} className="text-sm text-accent-ink underline">
          {t('openChat')}
        </Link>
      )}
      <Lineage title={t('madeFrom')} ids={sources} />
      <Lineage title={t('madeOfIt')} ids={derived.data?.map(({ id }) => id) ?? []} />
    </aside>
  )
}

function Lineage({ title, ids }: { title: string; ids: readonly string[] }) {
  const t = useText('media-gallery')
  if (ids.length === 0) return null
  return (
    <section>
      <h2 className="text-sm font-semibold">{title}</h2>
      <ul className="mt-1.5 flex flex-wrap gap-2">
        {ids.map((id, index) => (
          <li key={id}>
            <Link to={links.galleryItem(id)} aria-label={t('itemOf', { place: index + 1, count: ids.length })}>
              <img
                src={toRequest(routes.thumbnail, { params: { mediaId: id } }).path}
                alt=""
                loading="lazy"
                onError={(event) => event.currentTarget.classList.add('invisible')}
                className="size-16 rounded-md border border-line bg-sunken object-cover"
              />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Title and description, changed in place. */
function Words({ item }: { item: MediaItem }) {
  const t = useText('media-gallery')
  const [title, setTitle] = useState(item.title)
  const [alt, setAlt] = useState(item.alt)
  const save = useMutation({ mutationFn: () => describeItem(item.id, { title: title.trim(), alt: alt.trim() }) })
  const isChanged = title.trim() !== item.title || alt.trim() !== item.alt
  const failure = failureOf(save.error)
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (title.trim()) save.mutate()
      }}
    >
      <Field label={t('itemTitle')}>
        <Input value={title} maxLength={200} dir="auto" onChange={(event) => setTitle(event.target.value)} />
      </Field>
      <Field label={t('alt')} hint={t('altHint')}>
        <TextArea rows={2} value={alt} maxLength={2000} dir="auto" onChange={(event) => setAlt(event.target.value)} />
      </Field>
      {failure && (
        <ErrorCard title={failure.title} details={failure.details}>
          {null}
        </ErrorCard>
      )}
      {isChanged && (
        <Button tone="primary" className="self-start" busy={save.isPending} disabled={!title.trim()} type="submit">
          {t('save')}
        </Button>
      )}
    </form>
  )
}
