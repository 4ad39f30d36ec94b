import { Brain, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { usePreferences } from '../../../api/account.ts'
import { Markdown } from '../../../blocks/markdown/markdown.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { useText } from 'virtual:words/chat'
import { useSeconds } from './waiting.tsx'

/** What a model thought before it answered: one line, opened on demand. What the person chose stays for this answer. */
export function Thinking({
  text,
  since = null,
  until = null,
  running = false,
  tookMs = null,
}: {
  text: string
  since?: number | null
  until?: number | null
  running?: boolean
  /** For a finished answer, where it is known. */
  tookMs?: number | null
}) {
  const t = useText('chat')
  const { showThinking } = usePreferences().chat
  const [chosen, setChosen] = useState<boolean | null>(null)
  const open = chosen ?? showThinking
  const counted = useSeconds(since ?? 0, running && since !== null)
  const took = until !== null && since !== null ? until - since : tookMs
  const seconds = took === null ? counted : Math.max(1, Math.round(took / 1000))
  const label = running
    ? t('thinking.running', { count: seconds })
    : took === null
      ? t('thinking.label')
      : t('thinking.done', { count: seconds })
  return (
    <div className="mb-3">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setChosen(!open)}
        className="hit -ms-1.5 flex items-center gap-1.5 rounded-md px-1.5 py-1 text-sm text-muted hover:bg-hover hover:text-ink"
      >
        <Brain aria-hidden className={classNames('size-3.5', running && 'animate-pulse text-accent-ink')} />
        {label}
        <ChevronRight
          aria-hidden
          className={classNames('size-3.5 transition-transform', open && 'rotate-90 rtl:-rotate-90')}
        />
      </button>
      {open && (
        <div data-thinking className="mt-1 border-s-2 border-line ps-3.5 text-muted [&_.markdown]:text-sm">
          <Markdown text={text} streaming={running} />
        </div>
      )}
    </div>
  )
}
