/** Which window about a message is open, and for which one. */
import type { ChannelMessage } from '@atrium/contract/channels'
import { create } from 'zustand'

export const useAskedMessage = create<{
  readonly asked: { readonly what: 'forward' | 'remind'; readonly message: ChannelMessage } | null
}>(() => ({ asked: null }))

/** Once the menu has given the focus back. */
export const askAbout = (what: 'forward' | 'remind', message: ChannelMessage): void =>
  void setTimeout(() => useAskedMessage.setState({ asked: { what, message } }), 50)
export const closeAsked = (): void => useAskedMessage.setState({ asked: null })
