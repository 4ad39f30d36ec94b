import type { Channel } from '@atrium/contract/channels'
import { isDirect } from '../rules.ts'
import { useText } from 'virtual:words/channels'

/** Above the very first message. */
export function Beginning({ channel, name }: { channel: Channel; name: string }) {
  const t = useText('channels')
  return (
    <p className="max-w-full truncate text-sm text-muted">
      {t(isDirect(channel) ? 'timeline.beginDm' : 'timeline.begin', { name })}
    </p>
  )
}
