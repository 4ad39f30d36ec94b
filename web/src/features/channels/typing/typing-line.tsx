import { useMe } from '../../../api/account.ts'
import type { ChannelDraft } from '../compose/draft.ts'
import { useText } from 'virtual:words/channels-typing'
import { type TypingPlace, useTellTyping, useTyping } from './use-typing.ts'

/**
 * Who is typing, above the box where one writes. Its line is always there, so that nothing jumps; to screen readers it is
 * not announced, as it would be in the way of what is said.
 */
export function TypingLine({ channelId, parentId, draft }: TypingPlace & { draft: ChannelDraft }) {
  const t = useText('channels-typing')
  const me = useMe()
  const place = { channelId, parentId }
  useTellTyping(place, draft)
  const [first, second, third] = useTyping(place, me.id)
  const text = third
    ? t('many')
    : second
      ? t('two', { first: first?.name ?? '', second: second.name })
      : first
        ? t('one', { name: first.name })
        : ''
  return <p className="h-5 truncate px-1 text-xs text-muted">{text}</p>
}
