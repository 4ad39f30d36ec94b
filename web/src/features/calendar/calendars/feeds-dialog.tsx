import { type Calendar, type FeedContent, calendarRoutes } from '@atrium/contract/calendar'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { ShownOnce } from '../../../blocks/shown-once.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { formatAgo } from '../../../lib/format.ts'
import { useText } from 'virtual:words/calendar'

const contents = ['all', 'busy'] as const

/** The secret addresses at which other programs read a calendar: made, exchanged, turned off. */
export function FeedsDialog({ calendar, onClose }: { calendar: Calendar; onClose: () => void }) {
  const t = useText('calendar')
  const params = { calendarId: calendar.id }
  const feeds = useQuery(queryOf(calendarRoutes.feeds, { params }))
  const [asked, setAsked] = useState<{ readonly what: 'replace' | 'remove'; readonly content: FeedContent } | null>(
    null,
  )
  const done = async () => {
    setAsked(null)
    await refresh(calendarRoutes.feeds)
  }
  const create = useMutation({
    mutationFn: (content: FeedContent) => call(calendarRoutes.createFeed, { params: { ...params, content } }),
    onSuccess: done,
  })
  const remove = useMutation({
    mutationFn: (content: FeedContent) => call(calendarRoutes.removeFeed, { params: { ...params, content } }),
    onSuccess: done,
  })
  if (create.data) {
    return (
      <ShownOnce
        title={t('feeds.madeTitle')}
        text={t(`feeds.made.${create.data.feed.content}`)}
        secret={`${location.origin}${create.data.path}`}
        copy={t('feeds.copy')}
        warning={t('feeds.once')}
        onClose={create.reset}
      />
    )
  }
  if (asked) {
    const { what, content } = asked
    const work = what === 'replace' ? create : remove
    return (
      <FormDialog
        width="narrow"
        tone={what === 'remove' ? 'danger' : 'primary'}
        title={t(`feeds.${what}Title`)}
        description={t(`feeds.${what}Text`)}
        submit={t(`feeds.${what}`)}
        busy={work.isPending}
        error={failureOf(work.error)}
        onSubmit={() => work.mutate(content)}
        onClose={() => setAsked(null)}
      />
    )
  }
  const failure = failureOf(feeds.error ?? create.error)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={t('feeds.title', { name: calendar.name })}
      description={t('feeds.text')}
    >
      {failure && <ErrorCard title={failure.title} details={failure.details} />}
      {feeds.isPending && <Skeleton className="h-28" />}
      <ul className="divide-y divide-line">
        {feeds.data &&
          contents.map((content) => {
            const feed = feeds.data.items.find((one) => one.content === content)
            const read = feed?.lastReadAt
            return (
              <li key={content} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
                <div className="min-w-48 flex-1">
                  <p className="font-medium">{t(`feeds.content.${content}`)}</p>
                  <p className="text-sm text-muted">
                    {!feed && t(`feeds.help.${content}`)}
                    {feed && (read ? t('feeds.read', { when: formatAgo(read) }) : t('feeds.neverRead'))}
                  </p>
                </div>
                {feed ? (
                  <div className="flex gap-2">
                    <Button size="small" onClick={() => setAsked({ what: 'replace', content })}>
                      {t('feeds.replace')}
                    </Button>
                    <Button size="small" onClick={() => setAsked({ what: 'remove', content })}>
                      {t('feeds.remove')}
                    </Button>
                  </div>
                ) : (
                  <Button
                    size="small"
                    busy={create.isPending && create.variables === content}
                    onClick={() => create.mutate(content)}
                  >
                    {t('feeds.create')}
                  </Button>
                )}
              </li>
            )
          })}
      </ul>
    </Dialog>
  )
}
