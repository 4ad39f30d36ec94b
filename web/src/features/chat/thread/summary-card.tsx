import type { Message } from '@atrium/contract/chat'
import { FoldVertical, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Markdown } from '../../../blocks/markdown/markdown.tsx'
import { Button } from '../../../ui/button.tsx'
import { undoSummary } from '../open/edit.ts'
import { useText } from 'virtual:words/chat'
import { useThread } from './context.ts'

/** The place in a chat up to which a summary is sent instead of the messages. */
export function SummaryCard({ message }: { message: Message }) {
  const t = useText('chat')
  const { chat, attempt, ownerName } = useThread()
  const [open, setOpen] = useState(false)
  return (
    <div className="rounded-lg border border-dashed border-line-strong/60 bg-sunken px-3.5 py-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <FoldVertical aria-hidden className="size-4 text-muted" />
        <p className="min-w-0 flex-1 text-sm">
          <span className="font-medium">{t('summary.title')}</span>{' '}
          <span className="text-muted">{t('summary.note')}</span>
        </p>
        <Button size="small" tone="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('summary.hide') : t('summary.show')}
        </Button>
        {!message.summarised && ownerName === null && (
          <Button
            size="small"
            tone="quiet"
            icon={<Undo2 className="size-3.5" />}
            onClick={() => attempt(() => undoSummary(chat, message.id))}
          >
            {t('summary.undo')}
          </Button>
        )}
      </div>
      {open && (
        <div className="mt-2 border-t border-line pt-2 [&_.markdown]:text-base">
          <Markdown text={message.content} />
        </div>
      )}
    </div>
  )
}
