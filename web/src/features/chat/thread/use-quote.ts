import { useMe } from '../../../api/account.ts'
import { typeWithCaret } from '../../../blocks/composer/insert-at-caret.ts'
import { cleanQuote, withQuestion } from '../../../blocks/composer/quotes.ts'
import { modelName } from '../../../blocks/models.ts'
import { announce } from '../../../lib/announce.ts'
import { newId } from '../../../lib/id.ts'
import { toast } from '../../../ui/toaster.tsx'
import { conversationOf } from '../open/store.ts'
import { draftOfChat } from '../open/draft-chat.ts'
import { useText } from 'virtual:words/chat'
import { useThread } from './context.ts'

type Take = (messageId: string, text: string) => void

/**
 * Puts words of a message above the box as a quote: `quote` goes on writing, `ask` has a question in the box, selected, so
 * that it is sent as it is or typed over.
 */
export function useQuote(): { quote: Take; ask: Take } {
  const t = useText('chat')
  const me = useMe()
  const { chat, models, focusComposer } = useThread()
  const question = t('selection.question')
  const take = (messageId: string, selected: string) => {
    const text = cleanQuote(selected)
    if (text === '') return null
    const draft = draftOfChat(me.id, chat)
    const message = conversationOf(chat).messages.find(({ id }) => id === messageId)
    const author = message && message.role !== 'user' ? modelName(models, message.selection) || t('row.model') : null
    focusComposer()
    const isTaken = draft.quote({
      id: newId(),
      messageId,
      author: author && author.slice(0, 200),
      text,
    })
    if (isTaken) announce(t('quotes.added'))
    else toast(t('quotes.full'), { tone: 'danger' })
    return isTaken ? draft : null
  }
  return {
    quote: (messageId, text) => void take(messageId, text),
    ask: (messageId, text) => {
      const draft = take(messageId, text)
      if (!draft) return
      const focused = document.activeElement
      const box = focused instanceof HTMLTextAreaElement ? focused : null
      const { content, start } = withQuestion(draft.store.getState().content, question)
      typeWithCaret(box, draft, content, content.length)
      box?.setSelectionRange(start, content.length)
      if (box) box.scrollTop = box.scrollHeight
    },
  }
}
