/** Whether questions of a chat look on the web: not, once, or until switched off. Kept in this browser. */
import { webSearchRoutes } from '@atrium/contract/web-search'
import { create } from 'zustand'
import { queryClient, queryOf } from '../../../api/query.ts'

export type WebMode = 'off' | 'next' | 'on'

/** Whether the web can be searched here, by this account. */
export const webConfigQuery = queryOf(webSearchRoutes.config)

const useModes = create<Record<string, WebMode>>(() => ({}))

/** `new` is the chat that does not exist yet. */
export const useWebMode = (chatId: string): WebMode => useModes((modes) => modes[chatId] ?? kept(chatId))
const webMode = (chatId: string): WebMode => useModes.getState()[chatId] ?? kept(chatId)

export function setWebMode(chatId: string, mode: WebMode): void {
  useModes.setState({ [chatId]: mode })
  try {
    if (mode === 'on' && chatId !== 'new') localStorage.setItem(place(chatId), mode)
    else localStorage.removeItem(place(chatId))
  } catch {
    // The browser's space is used up: it holds until the page is closed.
  }
}

/** For the question that is sent now; what was meant for one message is over with it. */
export async function consumeWebMode(chatId: string): Promise<true | undefined> {
  const mode = webMode(chatId)
  if (mode === 'off') return undefined
  const config = await queryClient.ensureQueryData(webConfigQuery).catch(() => undefined)
  if (mode === 'next' || !config?.allowed) setWebMode(chatId, 'off')
  return config?.allowed ? true : undefined
}

/** What was taken for a question that could not be sent. */
export function restoreWebMode(chatId: string, taken: boolean | undefined): void {
  if (taken && webMode(chatId) === 'off') setWebMode(chatId, 'next')
}

const place = (chatId: string) => `atrium.web:${chatId}`
const kept = (chatId: string): WebMode => (localStorage.getItem(place(chatId)) === 'on' ? 'on' : 'off')
