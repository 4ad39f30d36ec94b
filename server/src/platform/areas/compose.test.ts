import { randomBytes } from 'node:crypto'
import { routes } from '@atrium/contract/route'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { settingsMigrations } from '../../core/settings/index.ts'
import { testAccountMigrations } from '../../testing/accounts.ts'
import { withDatabase } from '../../testing/databases.ts'
import { savedSettings } from '../../testing/settings.ts'
import { systemClock } from '../system-clock.ts'
import { createAccountEvents } from '../events/account-events.ts'
import { createLog } from '../log/log.ts'
import { declareVariables, defineSettings, setting, variablesOf, wholeNumber } from '../settings/index.ts'
import { createSlot } from '../slot.ts'
import { openVault } from '../vault/vault.ts'
import { compose, migrationsOf } from './compose.ts'
import { defineArea } from './define-area.ts'

const describeNotes = <const N extends string>(name: N) => ({
  name,
  tag: name,
  routes: routes({
    list: { method: 'get', path: `/api/${name}`, access: 'user', summary: 'Notes', returns: z.null() },
  }),
})
const handlers = { list: async () => null }
const migration = (id: string) => ({ id, up: () => [] })

const first = defineArea(describeNotes('first'))()({
  needs: [],
  migrations: [migration('first/1')],
  references: ['second'],
  create: () => ({ handlers, api: { count: 3 } }),
})
const second = defineArea(describeNotes('second'))<{ first: { count: number } }, { readonly factor: number }>()({
  needs: ['first'],
  migrations: [migration('second/1')],
  create: (_platform, { first: { count } }, _settings, { factor }) => ({ handlers, api: { product: count * factor } }),
})
const lengths = defineSettings({ pages: setting(z.number().int(), { default: 1, env: 'PAGES' }) }, { row: 'lengths' })
const third = defineArea(describeNotes('third'))()({
  needs: [],
  settings: { lengths, ...declareVariables({ LINES: [wholeNumber(1, 99), 'how many lines a page has'] }) },
  create: (_platform, _needs, settings) => ({ handlers, api: settings }),
})

const nothing = async () => undefined as never

withDatabase('areas', (open) => {
  /** Areas under test use nothing of the platform but its clock and their settings. */
  let platform: Parameters<typeof compose>[0]
  beforeAll(async () => {
    const database = await open([...testAccountMigrations, ...settingsMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock: systemClock })
    platform = {
      clock: systemClock,
      log: createLog({ level: 'silent' }),
      accountEvents: createAccountEvents({ append: nothing, appender: nothing, appendToEach: nothing }),
      jobs: { every: async () => undefined },
      saved: savedSettings({ database, vault, clock: systemClock }, { LINES: '40' }),
    } as unknown as Parameters<typeof compose>[0]
  })

  test('each gets the api of what it needs, and what the process gives it', () => {
    const { apis, served } = compose(platform, [first, second], { second: { factor: 7 } })
    expect(apis.second.product).toBe(21)
    expect(served.map(({ name }) => name)).toEqual(['first', 'second'])
  })

  test('each gets the settings that it declares, with what was saved and what the environment says', async () => {
    const { lengths: bound, LINES } = compose(platform, [third], {}).apis.third
    expect(LINES).toBe(40)
    await bound.change({ pages: 3 })
    expect((await compose(platform, [third], {}).apis.third.lengths.values()).pages).toBe(3)
    // @ts-expect-error It declares no words.
    expect(await bound.change({ words: 3 })).toMatchObject({ pages: { source: 'saved' } })
    expect(variablesOf(third.settings).map(({ name }) => name)).toEqual(['PAGES', 'LINES'])
  })

  test('one that stands before what it needs stops the start with a sentence', () => {
    expect(() => compose(platform, [second, first], { second: { factor: 1 } })).toThrow(
      'The area second needs first, which must stand before it in the list.',
    )
  })

  test('one that is there twice stops the start', () => {
    expect(() => compose(platform, [first, first], {})).toThrow('The area first is there twice.')
  })

  test('what nobody offers, and a handler that is missing, do not compile', () => {
    // @ts-expect-error Nothing offers `first`.
    expect(() => compose(platform, [second], { second: { factor: 1 } })).toThrow('needs first')
    // @ts-expect-error `list` has no handler.
    const bare = defineArea(describeNotes('bare'))()({ needs: [], create: () => ({ handlers: {}, api: undefined }) })
    expect(bare.name).toBe('bare')
    const described = { ...describeNotes('kinds'), resources: { note: {} } }
    const create = () => ({ handlers, api: undefined })
    // @ts-expect-error The kind `note` has no resource.
    const kindless = defineArea(described)()({ needs: [], create })
    expect(kindless.name).toBe('kinds')
  })

  test('what an account follows is named by all areas, to a token only by those that it may read', async () => {
    const naming = <const N extends string>(name: N) =>
      defineArea(describeNotes(name))()({
        needs: [],
        create: () => ({
          handlers,
          followedStreams: async (accountId) => [{ id: `${name}:${accountId}`, accountId: null }],
          api: undefined,
        }),
      })
    const { followedStreams } = compose(platform, [first, naming('rooms'), naming('boards')], {})
    const idsFor = async (scopes: readonly string[] | null): Promise<string[]> => {
      const token = scopes && { id: 't', scopes, models: null, ratePerMinute: 1 }
      return (await followedStreams({ accountId: 'ann', token })).map(({ id }) => id)
    }
    expect(await idsFor(null)).toEqual(['rooms:ann', 'boards:ann'])
    expect(await idsFor(['boards:read', 'rooms:write'])).toEqual(['boards:ann'])
  })

  test('migrations follow those whose tables they refer to, and none is there twice', () => {
    const ids = migrationsOf([migration('vault/1')], [first, second]).map(({ id }) => id)
    expect(ids).toEqual(['vault/1', 'second/1', 'first/1'])
    expect(() => migrationsOf([migration('first/1')], [first])).toThrow('The migration first/1 is there twice.')
  })
})

test('a slot is filled once, and one that nothing filled says so', () => {
  const slot = createSlot<number>('The answer')
  expect(slot.value).toBeNull()
  expect(() => slot.get()).toThrow('The answer: nothing filled it.')
  slot.fill(42)
  expect(slot.get()).toBe(42)
  expect(() => slot.fill(43)).toThrow('The answer: filled twice.')
})
