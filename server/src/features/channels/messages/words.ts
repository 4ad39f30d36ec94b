/** What the index finds messages by. */
import type { ChannelContext } from '../context.ts'
import { entryOf, partitionOf } from '../rules.ts'
import type { MessageRow } from '../tables.ts'

/** The words of a message, for the index. */
export const hashWords = (
  { indexes: { texts } }: ChannelContext,
  { id, channel_id, created_at }: Pick<MessageRow, 'id' | 'channel_id' | 'created_at'>,
  content: string,
  forwarded = '',
) => {
  const text = `${content}\n${forwarded}`
  const entry = { id: entryOf(id), group: channel_id, partition: partitionOf(channel_id), time: created_at, facets: [] }
  return texts.hash(text.trim() === '' ? [] : [Object.assign(entry, { text })])
}
