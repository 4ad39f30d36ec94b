/** What a page of a tool server is told of where it is shown (MCP Apps, `HostContext`). */
export interface HostContext {
  readonly theme: 'light' | 'dark'
  /** BCP 47. */
  readonly locale: string
  readonly timeZone: string
}

export const readHostContext = (): HostContext => {
  const { dataset, lang } = document.documentElement
  const theme = dataset['theme'] === 'dark' || dataset['theme'] === 'contrast' ? 'dark' : 'light'
  return { theme, locale: lang || 'en', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** Calls back whenever it is another one; gives what ends that. */
export function watchHostContext(changed: (context: HostContext) => void): () => void {
  const observer = new MutationObserver(() => changed(readHostContext()))
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'lang'] })
  return () => observer.disconnect()
}
