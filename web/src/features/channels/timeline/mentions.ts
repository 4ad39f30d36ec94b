/** Where a message names people. Pure. */
import type { ChannelMention } from '@atrium/contract/channels'
import { groupHandle } from '@atrium/contract/group-handle'
import { handleOf } from '../names.ts'

export interface Stretch {
  readonly words: string
  /** Null for text between names. */
  readonly mention: ChannelMention | null
}

const nameOf = (mention: ChannelMention): string => {
  if (mention.kind === 'person') return handleOf(mention.user.name)
  return mention.kind === 'group' ? groupHandle(mention.group.name) : mention.kind
}
const isWord = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter)

/** The text in stretches: the names that the server has found in the message, and what stands between them. */
export function splitMentions(text: string, mentions: readonly ChannelMention[]): Stretch[] {
  // The longest first: `@ann.lee` is not `@ann`.
  const named = mentions
    .map((mention) => ({ mention, words: `@${nameOf(mention)}` }))
    .filter(({ words }) => words !== '@')
    .sort((a, b) => b.words.length - a.words.length)
  const stretches: Stretch[] = []
  let from = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (at < from || isWord(text[at - 1])) continue
    const hit = named.find(
      ({ words }) =>
        text.slice(at, at + words.length).toLowerCase() === words.toLowerCase() && !isWord(text[at + words.length]),
    )
    if (!hit) continue
    if (at > from) stretches.push({ words: text.slice(from, at), mention: null })
    stretches.push({ words: text.slice(at, at + hit.words.length), mention: hit.mention })
    from = at + hit.words.length
  }
  if (from < text.length) stretches.push({ words: text.slice(from), mention: null })
  return stretches
}
