import type { Message } from '@atrium/contract/chat'
import { CornerLeftUp } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { sourceOfQuote } from '../../../blocks/composer/quotes.ts'
import { type DrawQuoteEnd, QuoteEndContext } from '../../../blocks/markdown/block.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { showMessage } from '../open/edit.ts'
import { useText } from 'virtual:words/chat'
import { useThread } from './context.ts'

/** Has block quotes in a question lead to the messages that they are from. One whose words were changed leads nowhere. */
export function QuoteSources({ message, children }: { message: Message; children: ReactNode }) {
  const { quotes } = message
  const draw = useMemo<DrawQuoteEnd | null>(() => {
    if (!quotes || quotes.length === 0) return null
    return (words) => {
      const messageId = sourceOfQuote(words, quotes)
      return messageId && <ShowSource messageId={messageId} />
    }
  }, [quotes])
  return <QuoteEndContext value={draw}>{children}</QuoteEndContext>
}

function ShowSource({ messageId }: { messageId: string }) {
  const t = useText('chat')
  const { chat, attempt } = useThread()
  return (
    <Button
      tone="quiet"
      size="small"
      className="-ms-2 mt-1 select-none"
      icon={<CornerLeftUp aria-hidden className="size-3.5" />}
      onClick={() =>
        attempt(async () => {
          if (!(await showMessage(chat, messageId))) toast(t('thread.messageGone'))
        })
      }
    >
      {t('quotes.show')}
    </Button>
  )
}
