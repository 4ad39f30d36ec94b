import type { Model } from '@atrium/contract/connections'
import { expect, test } from 'vitest'
import type { Caller } from '../../platform/http/area.ts'
import type { ModelResolution } from '../../core/connections/types.ts'
import { createApiModels } from './models.ts'

const caller: Caller = { accountId: 'a', sessionId: 's', role: 'user', via: 'bearer', token: null }
const model = { selection: { providerType: 'plugin', providerId: 'p', model: 'm' }, name: 'm' } as unknown as Model

const harness = () => {
  const known = { now: 0, lists: 0, resolves: 0, fails: false }
  const models = createApiModels({
    clock: { now: () => known.now, id: () => '' },
    listModels: async () => {
      known.lists += 1
      if (known.fails) throw new Error('no database')
      return { items: [model] } as unknown as Awaited<ReturnType<Parameters<typeof createApiModels>[0]['listModels']>>
    },
    resolveModel: async () => {
      known.resolves += 1
      return { model: { name: 'm' } } as unknown as ModelResolution
    },
  })
  return { known, models }
}

test('of many requests at a time one reads the models, and the others wait for it', async () => {
  const { known, models } = harness()
  await Promise.all(Array.from({ length: 50 }, () => models.find(caller, 'p/m')))
  expect(known).toMatchObject({ lists: 1, resolves: 1 })
})

test('a busy client never waits: what is known is renewed in time, and read anew when it is too old', async () => {
  const { known, models } = harness()
  await models.find(caller, 'm')
  known.now = 600
  await Promise.all([models.find(caller, 'm'), models.find(caller, 'm')])
  expect(known.lists).toBe(2)
  known.now = 1100
  await models.find(caller, 'm')
  expect(known.lists).toBe(3)
  known.now = 5000
  await models.find(caller, 'm')
  expect(known.lists).toBe(4)
})

test('a renewal that fails is told to whoever finds the models too old, and tried again', async () => {
  const { known, models } = harness()
  await models.find(caller, 'm')
  known.fails = true
  known.now = 600
  await models.find(caller, 'm')
  known.now = 1100
  await expect(models.find(caller, 'm')).rejects.toThrow('no database')
  known.fails = false
  await models.find(caller, 'm')
})

test('what was forgotten while it was renewed stays forgotten', async () => {
  const { known, models } = harness()
  await models.find(caller, 'm')
  known.now = 600
  const found = models.find(caller, 'm')
  models.forget('a')
  await found
  await models.find(caller, 'm')
  expect(known.lists).toBe(3)
})
