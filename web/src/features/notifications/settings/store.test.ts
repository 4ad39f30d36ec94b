import { afterEach, expect, test, vi } from 'vitest'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { keyOf, queryClient } from '../../../api/query.ts'
import { type GivenPreferences, refreshPreferences, savePreferences } from './store.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

const queryKey = keyOf(notificationsRoutes.preferences)
const preferences = (words: boolean, keywords: string[]) =>
  ({ words, keywords, kinds: {} }) as unknown as GivenPreferences
const shown = () => queryClient.getQueryData<GivenPreferences>(queryKey)

test('changes that follow one another are sent in their order, and none on screen jumps back meanwhile', async () => {
  const asked: { method: string; answer: PromiseWithResolvers<Response> }[] = []
  vi.stubGlobal('fetch', (_path: string, { method }: RequestInit) => {
    const answer = Promise.withResolvers<Response>()
    asked.push({ method: method ?? 'GET', answer })
    return answer.promise
  })
  queryClient.setQueryData(queryKey, preferences(false, []))
  const first = savePreferences({ words: true })
  const second = savePreferences({ keywords: ['harvest'] })
  expect(shown()).toMatchObject({ words: true, keywords: ['harvest'] })
  expect(asked).toHaveLength(1)
  refreshPreferences()
  asked[0]?.answer.resolve(Response.json(preferences(true, [])))
  await first
  expect(shown()).toMatchObject({ words: true, keywords: ['harvest'] })
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  asked[1]?.answer.resolve(Response.json(preferences(true, ['harvest'])))
  await second
  expect(shown()).toMatchObject({ words: true, keywords: ['harvest'] })
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true)
})
