import { flushSync } from 'react-dom'
import type { TypedText } from './triggers/types.ts'

/**
 * Writes a whole text into the box, with the caret at a place of it (in UTF-16 units). The text stands in the box at once:
 * a caret that is set only in the next frame would jump back before what a fast hand has typed until then.
 */
export function typeWithCaret(area: HTMLTextAreaElement | null, draft: TypedText, text: string, caret: number): void {
  flushSync(() => draft.type(text))
  area?.setSelectionRange(caret, caret)
}

/** Puts a phrase where the caret is, with spaces around it where words would grow together. */
export function insertAtCaret(area: HTMLTextAreaElement | null, draft: TypedText, phrase: string): void {
  const { content } = draft.store.getState()
  const at = area?.selectionEnd ?? content.length
  const [before, after] = [content.slice(0, at), content.slice(at)]
  const lead = before === '' || /\s$/.test(before) ? '' : ' '
  const tail = after === '' || /^\s/.test(after) ? '' : ' '
  const caret = before.length + lead.length + phrase.length
  typeWithCaret(area, draft, `${before}${lead}${phrase}${tail}${after}`, caret)
}
