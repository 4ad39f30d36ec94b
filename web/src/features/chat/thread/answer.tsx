import type { Making, Message } from '@atrium/contract/chat'
import type { Retrieval, Source, ToolCall } from '@atrium/contract/generation'
import { Sparkle } from 'lucide-react'
import { lazy, memo, Suspense, useEffect, useMemo, useState } from 'react'
import { ArtifactContext } from '../../../blocks/artifact/context.ts'
import { fencedBlocks } from '../../../blocks/artifact/from-block.ts'
import { MakerMark } from '../../../blocks/maker-mark/maker-mark.tsx'
import { makerOfModel } from '../../../blocks/maker-mark/makers.ts'
import { Markdown } from '../../../blocks/markdown/markdown.tsx'
import { RunContext } from '../../../blocks/run-code/context.ts'
import { InsertContext } from '../../../blocks/tool-calls/app/insert-context.ts'
import type { LivePicture } from '../open/conversation.ts'
import { useOpen } from '../open/store.ts'
import { useCite } from '../sources/cite.tsx'
import { useText } from 'virtual:words/chat'
import { AnswerActions } from './answer-actions.tsx'
import { useThread } from './context.ts'
import { EditBox } from './edit-box.tsx'
import { Ending, isUnreadable } from './ending.tsx'
import { SourceList } from './source-list.tsx'
import { Thinking } from './thinking.tsx'
import { useAutoRead } from './use-auto-read.ts'
import { useInsert } from './use-insert.ts'
import { Waiting } from './waiting.tsx'

const ActivityGroup = lazy(() =>
  import('../../../blocks/tool-calls/activity-group.tsx').then((module) => ({ default: module.ActivityGroup })),
)
const ArtifactCards = lazy(() =>
  import('../../../blocks/artifact/cards.tsx').then((module) => ({ default: module.ArtifactCards })),
)
const DraftCard = lazy(() =>
  import('../../../blocks/artifact/draft-card.tsx').then((module) => ({ default: module.DraftCard })),
)
const Approvals = lazy(() => import('./tools/approvals.tsx').then((module) => ({ default: module.Approvals })))
const AnswerFiles = lazy(() =>
  import('../../../blocks/run-code/answer-files.tsx').then((module) => ({ default: module.AnswerFiles })),
)
const Drawings = lazy(() => import('../media/drawings.tsx').then((module) => ({ default: module.Drawings })))
const MediaAnswer = lazy(() => import('../media/media-answer.tsx').then((module) => ({ default: module.MediaAnswer })))
const NoMatch = lazy(() => import('../sources/no-match.tsx').then((module) => ({ default: module.NoMatch })))

/** What a model said, over the full width. */
export function Answer({
  message,
  live,
  isLast,
  who,
}: {
  message: Message
  live: boolean
  isLast: boolean
  who: string
}) {
  const { editing } = useThread()
  useAutoRead(message.id, live, who)
  // It is written before the reader's eyes.
  const [isNew] = useState(live)
  // Kept here, so that what was opened while it is written is open when it has ended.
  const [isActivityOpen, setActivityOpen] = useState(false)
  const activity = { isActivityOpen, setActivityOpen }
  if (editing === message.id) return <EditBox message={message} />
  return (
    <div>
      <p aria-hidden className="mb-1 flex items-center gap-1.5 text-sm font-medium text-muted">
        {message.selection ? (
          <MakerMark maker={makerOfModel(message.selection, who)} className="size-4.5" />
        ) : (
          <Sparkle className="size-3.5 text-accent-ink" />
        )}
        <bdi className="truncate">{who}</bdi>
      </p>
      {live ? <LiveBody {...activity} /> : <Body message={message} who={who} isNew={isNew} {...activity} />}
      {!live && <Ending message={message} isLast={isLast} />}
      {!live && <AnswerActions message={message} isLast={isLast} who={who} />}
    </div>
  )
}

interface ActivityState {
  isActivityOpen: boolean
  setActivityOpen: (open: boolean) => void
}

const Body = memo(function Body({
  message,
  who,
  isNew,
  ...activity
}: { message: Message; who: string; isNew: boolean } & ActivityState) {
  const { chat, ownerName, openArtifact, showSources } = useThread()
  const { sources, retrieval } = message
  // What others share is read, and not run.
  const place = useMemo(() => (ownerName === null ? { chatId: chat.id } : null), [chat.id, ownerName])
  const artifactPlace = useMemo(
    () => (ownerName === null ? { chatId: chat.id, open: openArtifact } : null),
    [chat.id, ownerName, openArtifact],
  )
  const cite = useCite(sources, retrieval?.query)
  const tookMs = useOpen(chat, (state) => state.conversation?.thoughtMs[message.id] ?? null)
  return (
    <>
      {message.reasoning && <Thinking text={message.reasoning} tookMs={tookMs} />}
      <Activity calls={message.toolCalls} open={message.status === 'waiting'} {...activity} />
      <Missed retrieval={retrieval} />
      {message.content && !isUnreadable(message) && (
        <RunContext value={place}>
          <ArtifactContext value={artifactPlace}>
            <Markdown text={message.content} cite={cite} />
          </ArtifactContext>
        </RunContext>
      )}
      <Artifacts calls={message.toolCalls} isNew={isNew} />
      {place && message.toolCalls.some(({ name, source }) => name === 'run_code' && source === 'builtin') && (
        <Suspense>
          <AnswerFiles calls={message.toolCalls} />
        </Suspense>
      )}
      <Pictures
        message={message}
        pictures={message.attachments.map((attachment) => ({ attachment, partial: false }))}
        lost={message.lostPictures ?? 0}
      />
      {isPlayed(message) && (
        <Suspense>
          <MediaAnswer message={message} making={message.making} who={who} />
        </Suspense>
      )}
      <Asked calls={message.toolCalls} open={message.status === 'waiting'} />
      <SourceList sources={sources} content={message.content} onMore={() => showSources(message)} />
    </>
  )
})

/** The answer while it is written. It alone is drawn again with every piece. */
function LiveBody(activity: ActivityState) {
  const t = useText('chat')
  const { chat, ownerName, openArtifact, openDraft, openBlock } = useThread()
  const place = useMemo(() => {
    if (ownerName !== null) return null
    const watch = () => {
      const now = chat.store.getState().conversation?.live
      if (now) openBlock(now.messageId, fencedBlocks(now.text).length - 1)
    }
    return { chatId: chat.id, open: openArtifact, watch }
  }, [chat, ownerName, openArtifact, openBlock])
  const live = useOpen(chat, (state) => state.conversation?.live ?? null)
  const lost = useOpen(chat, (state) => state.lost)
  const cite = useCite(live?.sources ?? noSources, live?.retrieval?.query)
  if (!live) return null
  return (
    <>
      {live.reasoning && (
        <Thinking text={live.reasoning} since={live.thinkingAt} until={live.textAt} running={live.textAt === null} />
      )}
      <Activity calls={live.toolCalls} open={!live.stopping} {...activity} />
      <Missed retrieval={live.retrieval} />
      {live.text && (
        <ArtifactContext value={place}>
          <Markdown text={live.text} streaming={!live.stopping} cite={cite} />
        </ArtifactContext>
      )}
      <Artifacts calls={live.toolCalls} isNew />
      {live.draft && !live.draft.isMade && (
        <Suspense>
          <DraftCard key={live.draft.draft} tool={live.draft.name} args={live.draft.arguments} onOpen={openDraft} />
        </Suspense>
      )}
      <Pictures pictures={live.pictures} />
      <Asked calls={live.toolCalls} open={!live.stopping} />
      {lost ? (
        <p className="mt-2 text-sm text-warn-ink">
          {t(live.generationId === null ? 'answer.unsent' : 'answer.reconnecting')}
        </p>
      ) : (
        <Waiting
          since={live.askedAt}
          quiet={
            live.text !== '' ||
            live.reasoning !== '' ||
            live.draft !== null ||
            live.toolCalls.length + live.pictures.length > 0
          }
          search={live.search}
          stopping={live.stopping}
        />
      )}
    </>
  )
}

/** Fetched with the first answer that calls tools. */
function Activity({
  calls,
  open,
  isActivityOpen,
  setActivityOpen,
}: { calls: readonly ToolCall[]; open: boolean } & ActivityState) {
  const insert = useInsert()
  if (calls.length === 0) return null
  return (
    <Suspense>
      <InsertContext value={insert}>
        <ActivityGroup calls={calls} goesOn={open} isOpen={isActivityOpen} onOpenChange={setActivityOpen} />
      </InsertContext>
    </Suspense>
  )
}

/** What waits for a person, at the end of the answer, while it goes on. */
function Asked({ calls, open }: { calls: readonly ToolCall[]; open: boolean }) {
  if (calls.length === 0 || !open) return null
  return (
    <Suspense>
      <Approvals calls={calls} />
    </Suspense>
  )
}

/** What the calls made and changed, fetched with the first such answer. The last one of a new answer opens by itself. */
function Artifacts({ calls, isNew }: { calls: readonly ToolCall[]; isNew: boolean }) {
  const { ownerName, openArtifact } = useThread()
  const made = new Map(
    calls.flatMap(({ result }) =>
      (result?.links ?? []).flatMap((link) => (link.kind === 'artifact' ? [[link.id, link] as const] : [])),
    ),
  )
  const newest = isNew ? [...made.keys()].at(-1) : undefined
  useEffect(() => {
    if (newest !== undefined) openArtifact(newest, true)
  }, [newest, openArtifact])
  // What others share has links to what they did not.
  if (made.size === 0 || ownerName !== null) return null
  return (
    <Suspense>
      <ArtifactCards artifacts={[...made.values()]} onOpen={openArtifact} />
    </Suspense>
  )
}

/** Fetched with the first answer that has pictures. `lost`: so many could not be kept. */
function Pictures({
  pictures,
  message,
  lost = 0,
}: {
  pictures: readonly LivePicture[]
  message?: Message
  lost?: number
}) {
  if (pictures.length + lost === 0) return null
  return (
    <Suspense>
      <Drawings pictures={pictures} message={message} lost={lost} />
    </Suspense>
  )
}

/** Nothing in the documents of the chat was of use; the reader shall know before reading. */
function Missed({ retrieval }: { retrieval: Retrieval | null | undefined }) {
  if (!retrieval?.nothingMatched || !retrieval.asked) return null
  return (
    <Suspense>
      <NoMatch retrieval={retrieval} />
    </Suspense>
  )
}

/** Pictures are shown as they are. What failed before it began is told below. */
const isPlayed = (message: Message): message is Message & { making: Making } =>
  message.making != null && message.making.kind !== 'image' && message.status === 'complete'

const noSources: readonly Source[] = []
