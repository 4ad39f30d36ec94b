/** What is done to messages: shown at once, then said to the server, and taken back with its reason where that refuses. */
import { type ChannelMessage, type ChannelPerson, channelsRoutes as routes } from '@atrium/contract/channels'
import { create } from 'zustand'
import { call } from '../../../api/client.ts'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { toast } from '../../../ui/toaster.tsx'
import { translate } from 'virtual:words/channels'
import { withReaction } from '../rules.ts'
import { showMessage } from './store.ts'
import { emptyMessage } from './timeline.ts'

const failed = (error: unknown): void => void toast(wordsOf(error), { tone: 'danger' })

/** Throws `Problem`: what was typed stays in its box then. */
export async function editMessage({ id, editedAt }: ChannelMessage, content: string): Promise<void> {
  showMessage(await call(routes.edit, { params: { messageId: id }, body: { content, editedAt } }))
}

export async function toggleReaction(message: ChannelMessage, emoji: string, me: ChannelPerson): Promise<void> {
  const isGiven = message.reactions.some((one) => one.emoji === emoji && one.users.some(({ id }) => id === me.id))
  showMessage(withReaction(message, emoji, me, !isGiven))
  try {
    showMessage(
      isGiven
        ? await call(routes.unreact, { params: { messageId: message.id, emoji } })
        : await call(routes.react, { params: { messageId: message.id }, body: { emoji } }),
    )
  } catch (error) {
    // Taken back elsewhere already: that is what was wanted.
    if (codeOf(error) === 'channel_reaction_not_found') return
    showMessage(message)
    failed(error)
  }
}

export async function togglePin(message: ChannelMessage): Promise<void> {
  const pinned = message.pinnedAt === null
  showMessage({ ...message, pinnedAt: pinned ? new Date().toISOString() : null })
  try {
    showMessage(await call(routes.pin, { params: { messageId: message.id }, body: { pinned } }))
    void refresh(routes.pins)
  } catch (error) {
    showMessage(message)
    failed(error)
  }
}

export async function stopAnswer(messageId: string): Promise<void> {
  try {
    showMessage(await call(routes.cancelAnswer, { params: { messageId } }))
  } catch (error) {
    failed(error)
  }
}

const undoMs = 10_000

/** Messages that are shown as deleted, and are not yet: there is time to take it back. */
export const useRemoving = create<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))
const setRemoving = (id: string, on: boolean): void =>
  useRemoving.setState(({ ids }) => {
    const next = new Set(ids)
    if (on) next.add(id)
    else next.delete(id)
    return { ids: next }
  })

/** Deletes a message once the time to undo it is over; a page that closes meanwhile does it on the way out. */
export function removeMessage(message: ChannelMessage): void {
  setRemoving(message.id, true)
  const timer = setTimeout(() => void remove(), undoMs)
  const leave = () => void remove()
  addEventListener('pagehide', leave)
  const settle = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', leave)
  }
  const close = toast(translate('channels:row.removed'), {
    ms: undoMs,
    action: {
      label: translate('channels:undo'),
      onClick: () => {
        settle()
        setRemoving(message.id, false)
      },
    },
  })
  async function remove(): Promise<void> {
    settle()
    close()
    try {
      await call(routes.remove, { params: { messageId: message.id } }, { keepalive: true })
      showMessage(emptyMessage(message, new Date().toISOString()))
      void refresh(routes.pins)
    } catch (error) {
      if (codeOf(error) !== 'channel_message_not_found') failed(error)
    } finally {
      setRemoving(message.id, false)
    }
  }
}
