import type { Channel, ChannelMessage, ChannelPerson } from '@atrium/contract/channels'
import { createContext, use } from 'react'

/** What the rows of a channel share. */
export interface ChannelView {
  readonly channel: Channel
  readonly me: ChannelPerson
  /** The message that is being edited. */
  readonly editing: string | null
  edit(messageId: string | null): void
  /** The message for which an emoji is being chosen. */
  readonly reacting: string | null
  react(messageId: string | null): void
  openThread(message: ChannelMessage): void
}

export const ChannelContext = createContext<ChannelView | null>(null)

/** The channel around a row. */
export function useChannel(): ChannelView {
  const view = use(ChannelContext)
  if (!view) throw new Error('a message outside of a channel')
  return view
}
