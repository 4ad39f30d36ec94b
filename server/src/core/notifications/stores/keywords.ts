/** Who watches which words. Keyed digests alone: a message is compared by those of its own words. */
import { keywordWords } from '@atrium/contract/notifications'
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { NotificationTables } from '../tables.ts'

/** So many values stand in one question. */
const slice = 400

export type KeywordStore = ReturnType<typeof createKeywordStore>

export const createKeywordStore = ({
  database,
  vault,
}: {
  readonly database: Database
  readonly vault: Pick<Vault, 'blindIndex'>
}) => {
  const tables = database.tables<NotificationTables>()
  const digest = (words: readonly string[]): string => vault.blindIndex('notification-keywords', words.join(' '))

  return {
    /** Puts the keywords of an account in the place of those that it had. */
    async replace(trx: Transaction<NotificationTables>, accountId: string, keywords: readonly string[]): Promise<void> {
      await trx.deleteFrom('notification_keywords').where('account_id', '=', accountId).execute()
      const rows = keywords.map(keywordWords).map((words) => ({
        account_id: accountId,
        first_key: digest(words.slice(0, 1)),
        whole_key: digest(words),
        words: words.length,
      }))
      const distinct = [...new Map(rows.map((row) => [row.whole_key, row])).values()]
      if (distinct.length > 0) await trx.insertInto('notification_keywords').values(distinct).execute()
    },

    /** Whose keywords a text holds; of these accounts, or of all, some at a time. */
    async *watchersOf(text: string, among: readonly string[] | null): AsyncGenerator<string[]> {
      if (!(await tables.selectFrom('notification_keywords').select('account_id').limit(1).executeTakeFirst())) return
      const words = keywordWords(text)
      const placesOf = new Map<string, number[]>()
      for (const [at, word] of words.entries()) {
        const places = placesOf.get(word)
        if (places) places.push(at)
        else placesOf.set(word, [at])
      }
      const wordOf = new Map([...placesOf.keys()].map((word) => [digest([word]), word]))
      const holds = ({ first_key: first, whole_key: whole, words: length }: Row): boolean =>
        length === 1 ||
        (placesOf.get(wordOf.get(first) ?? '') ?? []).some((at) => digest(words.slice(at, at + length)) === whole)
      const keys = [...wordOf.keys()]
      const told = new Set<string>()
      for (let at = 0; at < keys.length; at += slice)
        for (let after: Row | undefined; ; ) {
          const rows: Row[] = await tables
            .selectFrom('notification_keywords')
            .selectAll()
            .where('first_key', 'in', keys.slice(at, at + slice))
            .$if(after !== undefined, (query) =>
              query.where((by) =>
                by(
                  by.refTuple('account_id', 'whole_key'),
                  '>',
                  by.tuple(after?.account_id ?? '', after?.whole_key ?? ''),
                ),
              ),
            )
            .$if(among !== null, (query) => query.where('account_id', 'in', among ?? []))
            .orderBy('account_id')
            .orderBy('whole_key')
            .limit(slice)
            .execute()
          const found = new Set(rows.filter(holds).map(({ account_id: id }) => id))
          const fresh = [...found].filter((id) => !told.has(id))
          for (const id of fresh) told.add(id)
          if (fresh.length > 0) yield fresh
          const last = rows.at(-1)
          if (!last || rows.length < slice) break
          after = last
        }
    },
  }
}

type Row = NotificationTables['notification_keywords']
