/** Prints the emergency kit: a sheet of its own, which is gone when it was printed. */
export const printKit = (recoveryKey: string, words: { title: string; text: string; warning: string }): void => {
  const frame = document.createElement('iframe')
  frame.hidden = true
  document.body.append(frame)
  const page = frame.contentDocument
  if (!page) return
  page.documentElement.lang = document.documentElement.lang
  page.documentElement.dir = document.documentElement.dir
  const groups = recoveryKey.split('-').map((group, at) => `${at + 1}. ${group}`)
  const sheet: readonly [tag: 'h1' | 'p' | 'pre', text: string][] = [
    ['h1', words.title],
    ['p', words.text],
    ['pre', groups.join('\n')],
    ['p', words.warning],
    ['p', `${location.origin} · ${new Date().toISOString().slice(0, 10)}`],
    ['pre', 'npm run restore -- --from <folder> --key <file>'],
  ]
  for (const [tag, text] of sheet) {
    const element = page.createElement(tag)
    element.textContent = text
    if (tag === 'pre') element.dir = 'ltr'
    page.body.append(element)
  }
  frame.contentWindow?.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow?.print()
}
