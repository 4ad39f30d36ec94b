/** Chats whose next question makes the model use a tool. Which tools there are to choose from is kept with the chat. */
import type { ToolChoice } from '@atrium/contract/generation'
import { create } from 'zustand'

/** Kept until it is asked, and no longer than the page. */
const useForced = create<Readonly<Record<string, true>>>(() => ({}))

export const useToolsForced = (chatId: string): boolean => useForced((forced) => forced[chatId] ?? false)

export function forceTools(chatId: string, on: boolean): void {
  const { [chatId]: _, ...others } = useForced.getState()
  useForced.setState(on ? { ...others, [chatId]: true } : others, true)
}

/** For the question that is sent now: what is meant for it alone; undefined: as the chat is set. */
export function consumeForced(chatId: string, tools: ToolChoice | undefined): ToolChoice | undefined {
  if (!useForced.getState()[chatId]) return undefined
  forceTools(chatId, false)
  return tools?.choice === 'off' ? undefined : { choice: 'force', ...(tools?.ids ? { ids: tools.ids } : {}) }
}
