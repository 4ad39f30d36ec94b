import { lazy, Suspense } from 'react'
import { RightPane } from '../../../ui/right-pane.tsx'
import { useChannel } from '../timeline/context.ts'
import { useText } from 'virtual:words/channels'
import { usePane } from './use-place.ts'

const ThreadPane = lazy(() => import('../thread/thread-pane.tsx').then((module) => ({ default: module.ThreadPane })))
const Members = lazy(() => import('../pane/members.tsx').then((module) => ({ default: module.Members })))
const CatchUpPane = lazy(() =>
  import('../catch-up/catch-up-pane.tsx').then((module) => ({ default: module.CatchUpPane })),
)
const Pins = lazy(() => import('../pane/pins.tsx').then((module) => ({ default: module.Pins })))

/** What stands beside the channel: a thread, its members, or what is pinned. */
export function Pane() {
  const t = useText('channels')
  const { channel } = useChannel()
  const { thread, message, pane, close } = usePane(channel.id)
  const which = thread ? 'thread' : pane
  if (!which || !channel.isMember) return null
  return (
    <RightPane open onClose={close} title={t(which === 'catch-up' ? 'timeline.missed' : `${which}.title`)}>
      <Suspense>
        {thread ? (
          <ThreadPane key={thread} rootId={thread} messageId={message} />
        ) : pane === 'members' ? (
          <Members />
        ) : pane === 'catch-up' ? (
          <CatchUpPane />
        ) : (
          <Pins />
        )}
      </Suspense>
    </RightPane>
  )
}
