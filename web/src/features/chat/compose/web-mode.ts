/** Whether questions of a chat look on the web: not, once, or until switched off. Kept in this browser. */
import { webSearch } from '@atrium/contract/web-search'
import { create } from 'zustand'
import { queryClient, queryOf } from '../../../api/query.ts'

export type WebMode = 'off' | 'next' | 'on'

/** Whether the web can be searched here, by this account. */
export const webConfigQuery = queryOf(webSearch.config)

const useModes = create<Record<string, WebMode>>(() => ({}))

/** Names the place of a choice: a chat of an account, or the chat that does not exist yet. */
export const webKey = (accountId: string, chatId: string | null): string => `atrium.web:${accountId}:${chatId ?? 'new'}`

export const useWebMode = (key: string): WebMode => useModes((modes) => modes[key] ?? kept(key))
const webMode = (key: string): WebMode => useModes.getState()[key] ?? kept(key)

export function setWebMode(key: string, mode: WebMode): void {
  useModes.setState({ [key]: mode })
  try {
    if (mode === 'on') localStorage.setItem(key, mode)
    else localStorage.removeItem(key)
  } catch {
    // The browser's space is used up: it holds until the page is closed.
  }
}

/** For the question that is sent now; what was meant for one message is over with it. */
export async function takeWeb(key: string): Promise<true | undefined> {
  const mode = webMode(key)
  if (mode === 'off') return undefined
  const config = await queryClient.ensureQueryData(webConfigQuery).catch(() => undefined)
  if (mode === 'next' || !config?.allowed) setWebMode(key, 'off')
  return config?.allowed ? true : undefined
}

const kept = (key: string): WebMode => (localStorage.getItem(key) === 'on' ? 'on' : 'off')
