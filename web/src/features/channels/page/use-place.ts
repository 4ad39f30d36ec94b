import type { ChannelMessage } from '@atrium/contract/channels'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { links } from '../../../lib/links.ts'
import { toast } from '../../../ui/toaster.tsx'
import { goToMessage } from '../open/load.ts'
import { type OpenTimeline } from '../open/store.ts'
import type { ChannelPlace } from '../search.ts'
import { useText } from 'virtual:words/channels'

/** The place in a channel that stands in the address, and the ways to others. */
export function usePlace(open: OpenTimeline) {
  const t = useText('channels')
  const navigate = useNavigate()
  const { message, thread } = useSearch({ strict: false }) as ChannelPlace
  const { channelId } = open
  useEffect(() => {
    // A reply is shown beside the channel, and what it answers in it.
    const target = thread ?? message
    if (!message || !target) return
    goToMessage(open, target).then(
      (found) => found || toast(t('timeline.gone')),
      (error: unknown) => toast(wordsOf(error), { tone: 'danger' }),
    )
  }, [open, message, thread, t])
  const openThread = useCallback(
    ({ id, parentId }: ChannelMessage) => void navigate({ to: links.channel(channelId, { thread: parentId ?? id }) }),
    [navigate, channelId],
  )
  return useMemo(() => ({ openThread }), [openThread])
}

/** What stands beside a channel, and how to change it. */
export function usePane(channelId: string) {
  const navigate = useNavigate()
  const { thread, message, pane } = useSearch({ strict: false }) as ChannelPlace
  return {
    thread,
    message,
    pane,
    show: (next: 'members' | 'pins') => void navigate({ to: `${links.channel(channelId)}?pane=${next}` }),
    close: () => void navigate({ to: links.channel(channelId) }),
  }
}
