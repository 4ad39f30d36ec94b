import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { afterEach, expect, test } from 'vitest'
import { keyOf, queryClient } from './query.ts'
import { runInTurn, saveInTurn, savesDone } from './saves.ts'

afterEach(() => queryClient.clear())

/** A save that ends when it is told to. */
const held = <T>() => Promise.withResolvers<T>()

test('a later save of the same thing begins when the earlier one has ended, also where that one failed', async () => {
  const first = held<void>()
  const begun: string[] = []
  const save = (name: string, until?: Promise<void>) =>
    runInTurn('a form', async () => {
      begun.push(name)
      await until
    })
  const one = save('one', first.promise)
  const two = save('two')
  const other = runInTurn('another form', async () => void begun.push('other'))
  await other
  expect(begun).toEqual(['one', 'other'])
  first.reject(new Error('refused'))
  await expect(one).rejects.toThrow('refused')
  await two
  expect(begun).toEqual(['one', 'other', 'two'])
})

test('what needs the saves of a thing to be done waits for the last of them, also where one failed', async () => {
  const first = held<void>()
  const done: string[] = []
  const save = runInTurn('a chat', () => first.promise)
  save.catch(() => done.push('save'))
  const waiting = savesDone('a chat').then(() => done.push('question'))
  await savesDone('another chat')
  expect(done).toEqual([])
  first.reject(new Error('refused'))
  await waiting
  expect(done).toEqual(['save', 'question'])
})

test('each save is made from what the server answered last, and its answer is what the page shows', async () => {
  const key = keyOf(localRuntimeRoutes.visibility)
  const shown = () => queryClient.getQueryData<{ order: string[] }>(key)?.order
  const empty = { hidden: [], order: [], starred: [], metadata: {}, groups: {}, defaultModel: null }
  queryClient.setQueryData(key, empty)
  const add = (name: string) =>
    saveInTurn(localRuntimeRoutes.visibility, async (latest = empty) => ({ ...latest, order: [...latest.order, name] }))
  await Promise.all([add('a'), add('b'), add('c')])
  expect(shown()).toEqual(['a', 'b', 'c'])
})
