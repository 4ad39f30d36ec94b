import { type ChannelMessage, channelsRoutes as routes } from '@atrium/contract/channels'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { call } from '../../../api/client.ts'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { links } from '../../../lib/links.ts'
import { toast } from '../../../ui/toaster.tsx'
import { goToMessage } from '../open/load.ts'
import { type OpenTimeline } from '../open/store.ts'
import type { ChannelPlace, Pane } from '../search.ts'
import { translate } from 'virtual:words/channels'

/** The place in a channel that stands in the address, and the ways to others. */
export function usePlace(open: OpenTimeline) {
  const navigate = useNavigate()
  const { message, thread } = useSearch({ strict: false }) as ChannelPlace
  const { channelId } = open
  useEffect(() => {
    if (!message) return
    const place = async () => {
      // A reply is shown beside the channel, and what it answers in it.
      if (await goToMessage(open, thread ?? message)) return
      const rootId = thread ? null : await findRoot(message)
      if (rootId === null) toast(translate('channels:timeline.gone'))
      else void navigate({ to: links.channel(channelId, { message, thread: rootId }), replace: true })
    }
    place().catch((error: unknown) => toast(wordsOf(error), { tone: 'danger' }))
    // Once for each address: words that come later must not lead there again.
  }, [open, channelId, message, thread, navigate])
  const openThread = useCallback(
    ({ id, parentId }: ChannelMessage) => void navigate({ to: links.channel(channelId, { thread: parentId ?? id }) }),
    [navigate, channelId],
  )
  return useMemo(() => ({ openThread }), [openThread])
}

/** What a reply answers; null where there is no such reply. */
async function findRoot(messageId: string): Promise<string | null> {
  try {
    const { root } = await call(routes.thread, { params: { messageId }, query: { limit: 1 } })
    return root.id === messageId ? null : root.id
  } catch (error) {
    if (codeOf(error) === 'channel_message_not_found') return null
    throw error
  }
}

/** What stands beside a channel, and how to change it. */
export function usePane(channelId: string) {
  const navigate = useNavigate()
  const { thread, message, pane } = useSearch({ strict: false }) as ChannelPlace
  return {
    thread,
    message,
    pane,
    show: (next: Pane) => void navigate({ to: `${links.channel(channelId)}?pane=${next}` }),
    close: () => void navigate({ to: links.channel(channelId) }),
  }
}
