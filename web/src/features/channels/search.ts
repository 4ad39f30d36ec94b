/** What stands in the addresses of channels. */
import { givenText } from '../../lib/given-text.ts'

const wishes = ['channel', 'message', 'browse', 'later'] as const
export type Wish = (typeof wishes)[number]

/** The window that the list opens. */
export const readWish = (search: Record<string, unknown>): { new?: Wish | undefined } => ({
  new: wishes.find((wish) => wish === search['new']),
})

const panes = ['members', 'pins', 'catch-up'] as const
export type Pane = (typeof panes)[number]

/** A message of the channel or of a thread, the thread beside it, or what else stands there. */
export const readPlace = (search: Record<string, unknown>) => ({
  message: givenText(search['message']),
  thread: givenText(search['thread']),
  pane: panes.find((pane) => pane === search['pane']),
})

export type ChannelPlace = ReturnType<typeof readPlace>
