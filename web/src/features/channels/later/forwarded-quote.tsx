import type { ChannelMessage } from '@atrium/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Forward } from 'lucide-react'
import { Markdown } from '../../../blocks/markdown/markdown.tsx'
import { PicturesContext } from '../../../blocks/markdown/picture.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { channelsQuery } from '../data/list.ts'
import { shownName } from '../names.ts'
import { useText } from 'virtual:words/channels-later'

/** What was said elsewhere; the way there is for those who are in that channel. */
export function ForwardedQuote({ forwarded }: { forwarded: NonNullable<ChannelMessage['forwarded']> }) {
  const t = useText('channels-later')
  const { channelId, messageId, parentId, author, content, createdAt } = forwarded
  const isThere = useQuery({ ...channelsQuery, select: (all) => all.some(({ id }) => id === channelId) }).data ?? false
  return (
    <figure className="my-1 max-w-full border-s-2 border-line-strong ps-3">
      <figcaption className="flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
        <Forward aria-hidden className="size-3.5" />
        <span>{t('forwardedFrom', { who: shownName(author?.name ?? '') || t('nobody') })}</span>
        <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
        {isThere && (
          <Link
            to={links.channel(
              channelId,
              parentId === null ? { message: messageId } : { message: messageId, thread: parentId },
            )}
            className="text-accent-ink underline underline-offset-2"
          >
            {t('toOriginal')}
          </Link>
        )}
      </figcaption>
      <blockquote className="max-h-60 overflow-y-auto">
        <PicturesContext value="links">
          <Markdown text={content} className="[&_p]:whitespace-pre-line" />
        </PicturesContext>
      </blockquote>
    </figure>
  )
}
