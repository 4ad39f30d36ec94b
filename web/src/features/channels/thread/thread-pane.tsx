import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useMe } from '../../../api/account.ts'
import { wordsOf } from '../../../api/errors.ts'
import { useRowKeys } from '../../../blocks/timeline/row-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ChannelComposer } from '../compose/composer.tsx'
import { draftOf } from '../compose/draft.ts'
import { SendLater } from '../later/send-later.tsx'
import { useThreadSeen } from '../followed/use-thread-seen.ts'
import { ThreadNotices } from '../notices/thread-notices.tsx'
import { sendMessage, useOutbox } from '../open/outbox.ts'
import { enterTimeline, leaveTimeline, loadEarlier, loadTimeline } from '../open/load.ts'
import { openTimeline, useOpen } from '../open/store.ts'
import { firstUnread } from '../open/timeline.ts'
import { canEdit, findSilence } from '../rules.ts'
import { ChannelContext, useChannel } from '../timeline/context.ts'
import { NewLine } from '../timeline/lines.tsx'
import { MessageRow } from '../timeline/message-row.tsx'
import { rowsOf } from '../timeline/rows.ts'
import { TypingLine } from '../typing/typing-line.tsx'
import { useText } from 'virtual:words/channels'

/** A message with the replies to it, and the box for another one. */
export function ThreadPane({ rootId, messageId }: { rootId: string; messageId: string | undefined }) {
  const t = useText('channels')
  const account = useMe()
  const outer = useChannel()
  const { channel, me } = outer
  const open = openTimeline(channel.id, rootId)
  const timeline = useOpen(open, (state) => state.timeline)
  const problem = useOpen(open, (state) => state.problem)
  const loading = useOpen(open, (state) => state.loading)
  const newFrom = useOpen(open, (state) => state.newFrom)
  const unsent = useOutbox((state) => state.unsent)
  const [editing, edit] = useState<string | null>(null)
  const [reacting, react] = useState<string | null>(null)
  /** The next reply goes to the channel, too. */
  const [isShared, setShared] = useState(false)
  const view = useMemo(() => ({ ...outer, editing, edit, reacting, react }), [outer, editing, reacting])
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    void enterTimeline(open)
    return () => leaveTimeline(open)
  }, [open])
  const rows = useMemo(
    () =>
      timeline
        ? rowsOf(
            timeline,
            unsent.filter(({ parentId }) => parentId === rootId),
            me,
            newFrom === null ? undefined : firstUnread(timeline.messages.slice(1), newFrom, me.id)?.id,
          )
        : [],
    [timeline, unsent, rootId, me, newFrom],
  )
  const rowKeys = useRowKeys(rows, { composer: 'thread-composer', within: box })
  useThreadSeen(open, box, rows)
  useEnd(box, rows.at(-1)?.id, messageId)
  const draft = draftOf(account.id, channel.id, rootId)

  if (!timeline) {
    return problem === null ? (
      <div className="p-4">
        <Skeleton lines={5} />
      </div>
    ) : (
      <div className="p-4">
        <ErrorCard title={t('thread.failed')} onRetry={() => void loadTimeline(open)}>
          {wordsOf(problem)}
        </ErrorCard>
      </div>
    )
  }
  return (
    <ChannelContext value={view}>
      <div className="flex h-full min-h-0 flex-col">
        <div
          ref={box}
          role="log"
          aria-live="off"
          aria-label={t('thread.label')}
          onKeyDown={rowKeys.onKeyDown}
          className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-2"
        >
          {rows.map((row, index) => (
            <div key={row.id}>
              {row.newLine && <NewLine time={row.message.createdAt} />}
              <MessageRow
                message={row.message}
                unsent={row.unsent}
                continued={row.continued && index > 1}
                inThread
                flash={row.id === messageId}
                tabbable={rowKeys.tabbable === row.id}
              />
              {index === 0 && (
                <p className="mx-4 my-2 flex items-center gap-3 text-xs text-muted">
                  {rows.length > 1 ? t('row.replies', { count: row.message.replyCount }) : t('thread.none')}
                  <span className="h-px flex-1 bg-line" />
                  {timeline.cursor !== null && (
                    <Button size="small" busy={loading !== null} onClick={() => void loadEarlier(open)}>
                      {t('members.more')}
                    </Button>
                  )}
                  {channel.isMember && <ThreadNotices rootId={rootId} />}
                </p>
              )}
            </div>
          ))}
        </div>
        {findSilence(channel) === null && (
          <div className="shrink-0 p-2">
            <TypingLine channelId={channel.id} parentId={rootId} draft={draft} />
            <ChannelComposer
              draft={draft}
              id="thread-composer"
              label={t('composer.reply')}
              placeholder={t('composer.reply')}
              wholeWindow={false}
              autoFocus
              later={<SendLater draft={draft} channelId={channel.id} parentId={rootId} inChannel={isShared} />}
              onSend={() => {
                sendMessage({ channelId: channel.id, parentId: rootId, inChannel: isShared, ...draft.take() })
                setShared(false)
              }}
              onEditLast={() => {
                const mine = timeline.messages.findLast((message) => canEdit(channel, message, me.id))
                if (mine) edit(mine.id)
              }}
            />
            <div className="px-1 pt-1.5 text-sm text-muted">
              <CheckField label={t('thread.alsoInChannel')} checked={isShared} onChange={setShared} />
            </div>
          </div>
        )}
      </div>
    </ChannelContext>
  )
}

/** Follows the newest reply while one is at the end; a link to a reply goes there instead. */
function useEnd(box: { current: HTMLElement | null }, lastId: string | undefined, messageId: string | undefined): void {
  const atEnd = useRef(true)
  const shown = useRef<string | undefined>(undefined)
  useEffect(() => {
    const element = box.current
    const look = () => {
      if (element) atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 60
    }
    // An answer grows while it is written.
    const grown = new MutationObserver(() => {
      if (element && atEnd.current) element.scrollTop = element.scrollHeight
    })
    element?.addEventListener('scroll', look, { passive: true })
    if (element) grown.observe(element, { childList: true, subtree: true, characterData: true })
    return () => {
      element?.removeEventListener('scroll', look)
      grown.disconnect()
    }
  })
  useLayoutEffect(() => {
    const element = box.current
    if (!element || lastId === undefined) return
    const target = messageId && shown.current !== messageId ? `[data-message="${CSS.escape(messageId)}"]` : null
    const row = target === null ? null : element.querySelector(target)
    shown.current = messageId
    if (row) row.scrollIntoView({ block: 'center' })
    else if (atEnd.current) element.scrollTop = element.scrollHeight
  }, [box, lastId, messageId])
}
