import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../platform/db/types.ts'
import { until } from '../../../testing/chats.ts'
import { testClock } from '../../../testing/clock.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { createDocumentScopes, readDocumentScope } from './document-scope.ts'

withDatabase('what questions look in', (open) => {
  let database: Database
  beforeAll(async () => {
    database = await open([])
  })

  const clock = testClock()
  const counting = (answers: boolean[]) => {
    const asked: unknown[] = []
    const hasAny = async (_accountId: string, scope: unknown): Promise<boolean> => {
      asked.push(scope)
      return answers.shift() ?? false
    }
    return { asked, scopes: createDocumentScopes({ clock, database }, { hasAny }) }
  }

  test('is the chat and the library, unless the chat says otherwise', () => {
    expect(readDocumentScope('c', {})).toEqual({ sessionId: 'c', library: true, collectionIds: [] })
    const settings = { useLibrary: false, knowledgeCollectionIds: ['k'] }
    expect(readDocumentScope('c', settings)).toEqual({ sessionId: 'c', library: false, collectionIds: ['k'] })
  })

  test('is known until documents of the account change, here or in another process', async () => {
    const [here, there] = [counting([false, true]), counting([false, true])]
    const scope = readDocumentScope('c', {})
    for (const { scopes } of [here, there]) {
      expect([await scopes.hasAny('ann', scope), await scopes.hasAny('ann', scope)]).toEqual([false, false])
      await scopes.hasAny('bob', scope)
    }
    here.scopes.invalidate('ann')
    await until(async () => (await there.scopes.hasAny('ann', scope)) === false && there.asked.length === 3)
    expect(await here.scopes.hasAny('ann', scope)).toBe(false)
    await here.scopes.hasAny('bob', scope)
    expect(here.asked).toHaveLength(3)
    here.scopes.close()
    there.scopes.close()
  })

  test('is asked again after a minute, should nobody have told of a change', async () => {
    const { scopes } = counting([false, true])
    const scope = readDocumentScope('c', {})
    expect(await scopes.hasAny('ann', scope)).toBe(false)
    clock.advance(59_000)
    expect(await scopes.hasAny('ann', scope)).toBe(false)
    clock.advance(1000)
    expect(await scopes.hasAny('ann', scope)).toBe(true)
    scopes.close()
  })

  test('is asked each time where it is the collections of others', async () => {
    const { asked, scopes } = counting([true, false])
    const scope = readDocumentScope('c', { knowledgeCollectionIds: ['k'] })
    expect([await scopes.hasAny('ann', scope), await scopes.hasAny('ann', scope)]).toEqual([true, false])
    expect(asked).toHaveLength(2)
    scopes.close()
  })

  test('is not kept from before a change that came while it was asked', async () => {
    const first = Promise.withResolvers<boolean>()
    const answers = [first.promise, Promise.resolve(true)]
    const scopes = createDocumentScopes({ clock, database }, { hasAny: async () => (await answers.shift()) ?? false })
    const asking = scopes.hasAny('ann', readDocumentScope('c', {}))
    scopes.invalidate('ann')
    first.resolve(false)
    expect(await asking).toBe(false)
    expect(await scopes.hasAny('ann', readDocumentScope('c', {}))).toBe(true)
    scopes.close()
  })
})
