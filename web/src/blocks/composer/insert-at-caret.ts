import type { TypedText } from './triggers/types.ts'

/** Puts a phrase where the caret is, with spaces around it where words would grow together. */
export function insertAtCaret(area: HTMLTextAreaElement | null, draft: TypedText, phrase: string): void {
  const { content } = draft.store.getState()
  const at = area?.selectionEnd ?? content.length
  const [before, after] = [content.slice(0, at), content.slice(at)]
  const lead = before === '' || /\s$/.test(before) ? '' : ' '
  const tail = after === '' || /^\s/.test(after) ? '' : ' '
  draft.type(`${before}${lead}${phrase}${tail}${after}`)
  const caret = before.length + lead.length + phrase.length
  // Once the text is in the box.
  requestAnimationFrame(() => area?.setSelectionRange(caret, caret))
}
