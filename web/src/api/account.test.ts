import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Preferences, settingsRoutes } from '@atrium/contract/settings'
import { afterEach, expect, test, vi } from 'vitest'
import { mergePreferences, preferencesQuery, refreshPreferences, savePreferences } from './account.ts'
import { queryClient } from './query.ts'

afterEach(() => vi.unstubAllGlobals())

test('a change of the theme, layout or chat leaves its other members as they are', () => {
  const before = Preferences.parse({ shortcuts: { a: 'Mod+A' } })
  const after = mergePreferences(before, { theme: { mode: 'dark' }, chat: { followUps: false }, shortcuts: {} })
  expect(after.theme).toEqual({ mode: 'dark', accent: 'verdigris' })
  expect(after.chat).toEqual({ ...before.chat, followUps: false })
  expect(after.layout).toEqual(before.layout)
  expect(after.shortcuts).toEqual({})
})

test('while a change is saved, what the server had before is not put on screen, and is read once it is saved', async () => {
  const before = Preferences.parse({})
  const after = Preferences.parse({ theme: { mode: 'dark', accent: 'verdigris' } })
  const elsewhere = Preferences.parse({ theme: { mode: 'dark', accent: 'indigo' } })
  const saves: ServerResponse[] = []
  const reads: string[] = []
  const server = createServer((request, response) => {
    if (request.method !== 'GET') return void saves.push(response)
    reads.push(request.url ?? '')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(reads.length === 1 ? before : elsewhere))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(origin + path, init))
  const shown = () => queryClient.getQueryData<Preferences>(preferencesQuery.queryKey)?.theme
  await queryClient.fetchQuery(preferencesQuery)

  const saved = savePreferences({ theme: { mode: 'dark' } })
  expect(shown()).toEqual(after.theme)
  await expect.poll(() => saves.length).toBe(1)
  refreshPreferences()
  expect(queryClient.getQueryState(preferencesQuery.queryKey)?.isInvalidated).toBe(false)
  saves[0]?.setHeader('content-type', 'application/json').end(JSON.stringify(after))
  await saved
  expect(queryClient.getQueryState(preferencesQuery.queryKey)?.isInvalidated).toBe(true)
  expect((await queryClient.fetchQuery(preferencesQuery)).theme).toEqual(elsewhere.theme)
  expect(reads).toEqual([settingsRoutes.read.path, settingsRoutes.read.path])
  server.close()
})
