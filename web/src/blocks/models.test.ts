import type { ModelList, ModelProvider } from '@atrium/contract/connections'
import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { modelsQuery } from './models.ts'

const list = (state: ModelProvider['state']): ModelList => ({
  items: [],
  providers: [{ providerType: 'local', providerId: null, name: 'Ollama', modelCount: 0, state, detail: null }],
  fallback: null,
})

test('models are asked for again until every provider was looked at, and then left alone', async () => {
  vi.useFakeTimers()
  environmentManager.setIsServer(() => false)
  const answers = [list('not-checked'), list('not-checked'), list('ready')]
  const ask = vi.fn(async () => answers.shift() ?? list('unreachable'))
  const client = new QueryClient()
  const observer = new QueryObserver(client, { ...modelsQuery, queryFn: ask })
  const leave = observer.subscribe(() => undefined)
  try {
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ask).toHaveBeenCalledTimes(3)
    expect(observer.getCurrentResult().data).toEqual(list('ready'))
  } finally {
    leave()
    client.clear()
    environmentManager.setIsServer(() => true)
    vi.useRealTimers()
  }
})
