import type { Channel } from '@atrium/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useMe } from '../../../api/account.ts'
import { codeOf } from '../../../api/errors.ts'
import { useFirstViewHeld } from '../../../lib/first-view.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { channelQuery, channelsQuery, knownChannel } from '../data/list.ts'
import { useLiveChannels } from '../data/live.ts'
import { fullName } from '../names.ts'
import { openDrafts } from '../compose/draft-sync.ts'
import { MessageWindows } from '../later/message-windows.tsx'
import { openOutbox } from '../open/outbox.ts'
import { enterTimeline, leaveTimeline, loadTimeline } from '../open/load.ts'
import { openTimeline, useOpen } from '../open/store.ts'
import { nameOfChannel, findSilence } from '../rules.ts'
import { ChannelContext, type ChannelView } from '../timeline/context.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { useTitle } from '../../../lib/title.ts'
import { useText } from 'virtual:words/channels'
import { Windows } from '../windows/windows.tsx'
import { About } from './about.tsx'
import { ChannelHeader } from './channel-header.tsx'
import { EmptyChannel } from './empty-channel.tsx'
import { NotOpened } from './not-opened.tsx'
import { Pane } from './pane.tsx'
import { Silence } from './silence.tsx'
import { useChannelKeys } from './use-channel-keys.ts'
import { usePlace } from './use-place.ts'
import { WriteBox } from './write-box.tsx'

/** `/channels/<id>`: one channel. */
export function ChannelPage() {
  const { channelId } = useParams({ strict: false }) as { channelId: string }
  useChannelKeys(channelId)
  // A new key: nothing of one channel's view may stay for the next.
  return (
    <>
      <OpenedChannel key={channelId} channelId={channelId} />
      <Windows />
      <MessageWindows />
    </>
  )
}

function OpenedChannel({ channelId }: { channelId: string }) {
  useLiveChannels()
  const known = useQuery({ ...channelsQuery, select: (all) => all.find(({ id }) => id === channelId) }).data
  const asked = useQuery({ ...channelQuery(channelId), enabled: !known, initialData: () => knownChannel(channelId) })
  const open = openTimeline(channelId)
  const problem = useOpen(open, (state) => state.problem)
  const channel = known ?? asked.data
  const gone = problem !== null && codeOf(problem) === 'channel_not_found'
  if (asked.isError && !known) return <NotOpened problem={asked.error} onRetry={() => void asked.refetch()} />
  if (gone && !(channel && !channel.isMember)) return <NotOpened problem={problem} onRetry={() => undefined} />
  return channel ? <ChannelBody channel={channel} /> : <Loading />
}

function Loading() {
  const t = useText('channels')
  useFirstViewHeld()
  return (
    <div className="mx-auto w-full max-w-text p-6 pt-20" aria-label={t('timeline.loading')}>
      <Skeleton lines={7} />
    </div>
  )
}

function ChannelBody({ channel }: { channel: Channel }) {
  const t = useText('channels')
  const me = useMe()
  const open = openTimeline(channel.id)
  const timeline = useOpen(open, (state) => state.timeline)
  const problem = useOpen(open, (state) => state.problem)
  const [editing, edit] = useState<string | null>(null)
  const [reacting, react] = useState<string | null>(null)
  const { openThread } = usePlace(open)
  const name = nameOfChannel(channel, t('nobody'))
  useEffect(() => {
    openOutbox(me.id)
    openDrafts(me.id)
  }, [me.id])
  useEffect(() => {
    // The messages of a public channel are for those who are in it.
    if (!channel.isMember) return undefined
    void enterTimeline(open)
    return () => leaveTimeline(open)
  }, [open, channel.isMember])
  useTitle(name)
  const view = useMemo<ChannelView>(
    () => ({
      channel,
      me: { id: me.id, name: fullName(me), avatar: me.avatar },
      editing,
      edit,
      reacting,
      react,
      openThread,
    }),
    [channel, me, editing, reacting, openThread],
  )
  const why = findSilence(channel)
  return (
    <ChannelContext value={view}>
      <ChannelHeader name={name} />
      {why === 'join' ? (
        <About />
      ) : timeline ? (
        <EmptyChannel open={open} timeline={timeline}>
          <Timeline open={open} timeline={timeline} name={name} />
        </EmptyChannel>
      ) : problem === null ? (
        <Loading />
      ) : (
        <NotOpened problem={problem} onRetry={() => void loadTimeline(open)} />
      )}
      {why === null ? <WriteBox key={channel.id} open={open} name={name} /> : <Silence why={why} />}
      <Pane />
    </ChannelContext>
  )
}
