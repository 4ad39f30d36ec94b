import { useMe } from '../../../api/account.ts'
import { typeWithCaret } from '../../../blocks/composer/insert-at-caret.ts'
import { draftOfChat } from '../open/draft-chat.ts'
import { useText } from 'virtual:words/chat'
import { useThread } from './context.ts'
import { withQuestion, withQuote } from './quote.ts'

/**
 * Puts words into the box as a quotation: `quote` goes on below it, `ask` has a question there, selected, so that it is
 * sent as it is or typed over.
 */
export function useQuote(): { quote: (text: string) => void; ask: (text: string) => void } {
  const t = useText('chat')
  const me = useMe()
  const { chat, focusComposer } = useThread()
  const type = (write: (typed: string) => { content: string; start: number }) => {
    const draft = draftOfChat(me.id, chat)
    focusComposer()
    const focused = document.activeElement
    const box = focused instanceof HTMLTextAreaElement ? focused : null
    const { content, start } = write(draft.store.getState().content)
    typeWithCaret(box, draft, content, content.length)
    box?.setSelectionRange(start, content.length)
    if (box) box.scrollTop = box.scrollHeight
  }
  const question = t('selection.question')
  return {
    quote: (text) =>
      type((typed) => {
        const content = withQuote(typed, text)
        return { content, start: content.length }
      }),
    ask: (text) => type((typed) => withQuestion(typed, text, question)),
  }
}
