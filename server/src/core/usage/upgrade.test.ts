import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../../platform/db/index.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { createCounterStore } from './stores/counters.ts'
import { usageMigrations } from './tables.ts'

onBothDatabases('usage of before there were bounds', (open) => {
  test('is read again: absurd figures are unknown, and budgets that they filled count anew', async () => {
    const database = await open(usageMigrations.filter(({ id }) => id < 'usage/0003'))
    const tables = database.tables<Record<string, Record<string, unknown>>>()
    // SQLite takes a floating number; in PostgreSQL nothing is larger than this.
    const absurd = database.dialect === 'sqlite' ? 1e300 : '9223372036854775807'
    const counter = { budget_id: 'b', subject: 'ann', period_start: 0 }
    await tables
      .insertInto('usage_budget_counters')
      .values({ ...counter, spent: absurd, reserved: 5 })
      .execute()
    const sum = { prompt_tokens: 3, completion_tokens: 4, cached_tokens: 0, reasoning_tokens: 0, input_units: 0 }
    await tables
      .insertInto('usage_sums')
      .values({
        account_id: 'ann',
        span: 'day',
        start: 0,
        plugin_id: 'p',
        model: 'm',
        capability: 'chat',

        status: 'success',
        plugin_name: 'P',
        unit_kind: null,
        calls: 2,
        metered_calls: 2,
        ...sum,
        output_units: 0,
        duration_ms: 1,
        first_token_ms: 1,
        first_token_calls: 1,
        priced_calls: 2,
        cost: absurd,
      })
      .execute()

    const snapshotFolder = await mkdtemp(join(tmpdir(), 'atrium-snapshots-'))
    await migrate(database, usageMigrations, { version: '0.0.0', snapshotFolder, now: () => 0 })
    await rm(snapshotFolder, { recursive: true })

    const store = createCounterStore(database, 'here')
    expect(await store.listCounters([{ budgetId: 'b', periodStart: 0 }])).toMatchObject([{ spent: 0n, reserved: 5n }])
    expect(await store.spentSince('money', 0)).toEqual(new Map([['ann', 0n]]))
    expect(await tables.selectFrom('usage_sums').selectAll().execute()).toMatchObject([
      { calls: 2, prompt_tokens: 3, priced_calls: 0, cost: 0 },
    ])
  })
})
