import { formatDay } from '../../../lib/format.ts'
import { ChannelIcon } from '../list/channel-icon.tsx'
import { useChannel } from '../timeline/context.ts'
import { useText } from 'virtual:words/channels'

/** What a public channel is about, for those who are not in it. */
export function About() {
  const t = useText('channels')
  const { channel } = useChannel()
  const words = [channel.topic, channel.description].filter((text) => text !== null)
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto p-6">
      <div className="flex max-w-md flex-col items-center gap-2 text-center">
        <ChannelIcon channel={channel} />
        <p className="text-md font-semibold">
          <bdi>{channel.name}</bdi>
        </p>
        {words.map((text) => (
          <p key={text} dir="auto" className="text-muted">
            {text}
          </p>
        ))}
        <p className="text-sm text-muted">
          {t('header.members', { count: channel.memberCount })} ·{' '}
          {t('about.since', { day: formatDay(channel.createdAt) })}
        </p>
      </div>
    </div>
  )
}
