/** Automations in the search over everything: by their names, and by what is asked. */
import { asksOfChats, type FindHits } from '../../core/resources/index.ts'
import { foldText, snippetOf } from '../../core/search/index.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { AutomationContext } from './context.ts'

/** What a word counts, beside the scores of the index: names say more than instructions. */
const inName = 3
const inInstructions = 1

/** An account has few enough of them that all are read: there is nothing in an index that could be out of date. */
export const createAutomationSearch =
  ({ automations }: Pick<AutomationContext, 'automations'>): FindHits =>
  async (accountId, query, limit) => {
    const { words, kinds, within, after, before } = query
    // They lie in nothing, and what else is asked of chats is not known of them.
    if (words === '' || within !== null || asksOfChats(query)) return []
    if (kinds !== null && !kinds.has('automation')) return []
    const wanted = foldText(words)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
    if (wanted.length === 0) return []
    const hits = (await automations.list(accountId)).flatMap(({ id, content, updatedAt }) => {
      if ((after !== null && updatedAt < after) || (before !== null && updatedAt >= before)) return []
      const [name, instructions] = [beginnings(content.name), beginnings(content.instructions)]
      const scores = wanted.map((word) =>
        name.includes(` ${word}`) ? inName : instructions.includes(` ${word}`) ? inInstructions : 0,
      )
      if (scores.includes(0)) return []
      return {
        kind: 'automation' as const,
        id,
        title: content.name,
        ...snippetOf(content.instructions, words),
        chatId: null,
        ownerId: null,
        startChar: null,
        endChar: null,
        location: null,
        time: toIsoTime(updatedAt),
        score: scores.reduce<number>((sum, score) => sum + score, 0) / wanted.length,
      }
    })
    return hits.toSorted((one, other) => other.score - one.score).slice(0, limit)
  }

/** The words of a text, each after a space. */
const beginnings = (text: string): string => ` ${foldText(text).replace(/[^\p{L}\p{N}]+/gu, ' ')}`
