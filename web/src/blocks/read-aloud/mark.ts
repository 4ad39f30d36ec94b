/** The spoken sentence, marked without touching the page. Browsers without highlights go without. */

export function markSentence(range: StaticRange | null): void {
  clearMark()
  if (!range || !('highlights' in CSS) || !range.startContainer.isConnected) return
  const live = document.createRange()
  live.setStart(range.startContainer, range.startOffset)
  live.setEnd(range.endContainer, range.endOffset)
  CSS.highlights.set('read-aloud', new Highlight(live))
}

export function clearMark(): void {
  if ('highlights' in CSS) CSS.highlights.delete('read-aloud')
}
