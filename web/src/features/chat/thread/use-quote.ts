import { useMe } from '../../../api/account.ts'
import { draftOfChat } from '../open/draft-chat.ts'
import { useThread } from './context.ts'
import { withQuote } from './quote.ts'

/** Puts words into the box as a quotation, and goes on below it. */
export function useQuote(): (text: string) => void {
  const me = useMe()
  const { chat, focusComposer } = useThread()
  return (text) => {
    const draft = draftOfChat(me.id, chat)
    draft.type(withQuote(draft.store.getState().content, text))
    focusComposer()
    // After the new text stands in the box.
    requestAnimationFrame(() => {
      const box = document.activeElement
      if (!(box instanceof HTMLTextAreaElement)) return
      box.setSelectionRange(box.value.length, box.value.length)
      box.scrollTop = box.scrollHeight
    })
  }
}
