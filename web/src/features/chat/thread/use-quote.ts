import { useMe } from '../../../api/account.ts'
import { typeWithCaret } from '../../../blocks/composer/insert-at-caret.ts'
import { draftOfChat } from '../open/draft-chat.ts'
import { useThread } from './context.ts'
import { withQuote } from './quote.ts'

/** Puts words into the box as a quotation, and goes on below it. */
export function useQuote(): (text: string) => void {
  const me = useMe()
  const { chat, focusComposer } = useThread()
  return (text) => {
    const draft = draftOfChat(me.id, chat)
    focusComposer()
    const focused = document.activeElement
    const box = focused instanceof HTMLTextAreaElement ? focused : null
    const quoted = withQuote(draft.store.getState().content, text)
    typeWithCaret(box, draft, quoted, quoted.length)
    if (box) box.scrollTop = box.scrollHeight
  }
}
