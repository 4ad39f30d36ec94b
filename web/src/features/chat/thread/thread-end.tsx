import { CornerDownRight } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useText } from 'virtual:words/chat'
import type { Conversation } from '../open/conversation.ts'
import { askQuestion } from '../open/ask.ts'
import { type OpenChat, useOpen } from '../open/store.ts'
import { useThread } from './context.ts'

/** Below the last message: questions that could come next. */
export function ThreadEnd({
  chat,
  conversation,
  onHeight,
}: {
  chat: OpenChat
  conversation: Conversation
  onHeight: (height: number) => void
}) {
  const t = useText('chat')
  const { attempt } = useThread()
  const followUps = useOpen(chat, (state) => state.followUps)
  const box = useRef<HTMLDivElement>(null)
  const shown = conversation.live || conversation.later ? [] : followUps
  useLayoutEffect(() => onHeight(box.current?.offsetHeight ?? 0))
  return (
    <div ref={box} className="mx-auto w-full max-w-[calc(var(--text-column)+2rem)] px-4">
      {shown.length > 0 && (
        <section aria-label={t('followUps.label')} className="flex flex-wrap gap-1.5 pb-5">
          {shown.map((question) => (
            <button
              key={question}
              type="button"
              dir="auto"
              onClick={() => attempt(() => askQuestion(chat, { content: question, attachments: [] }))}
              className="flex max-w-full items-center gap-2 rounded-lg border border-line px-3 py-1.5 text-start text-base text-muted hover:border-accent-line hover:bg-hover hover:text-ink"
            >
              <CornerDownRight aria-hidden className="size-3.5 shrink-0" />
              <span className="min-w-0">{question}</span>
            </button>
          ))}
        </section>
      )}
    </div>
  )
}
