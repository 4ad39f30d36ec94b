/** The report as a table for a spreadsheet: sums of days, or single calls. */
import { fail } from '../../platform/http/refusal.ts'
import type { BytesAnswer } from '../../platform/http/area.ts'
import type { PriceBook } from './price-cache.ts'
import { toCsv } from '../../platform/http/csv.ts'
import { dayMs, msToDay, type DayRange } from './days.ts'
import { toDecimal } from './money.ts'
import type { EventStore } from './stores/events.ts'
import type { ReportFilter, ReportStore } from './stores/report.ts'
import { costIn } from './tariffs.ts'

/** More rows than spreadsheets like, and what fits into memory with ease. */
const mostRows = 100_000
const pageSize = 5000

export type NameOf = (accountId: string) => Promise<string | null>

export const exportDays = async (
  store: ReportStore,
  book: PriceBook,
  range: DayRange,
  filter: ReportFilter,
  nameOf: NameOf,
): Promise<BytesAnswer> => {
  const rows = await store.rows(range, filter, mostRows + 1)
  if (rows.length > mostRows) throw tooMany()
  const names = await namesOf(new Set(rows.map((row) => row.account_id)), nameOf)
  const head = `day,account_id,username,plugin_id,plugin_name,model,capability,status,calls,metered_calls,prompt_tokens,
    completion_tokens,cached_tokens,reasoning_tokens,unit_kind,input_units,output_units,duration_ms,first_token_ms,
    priced_calls,cost,currency`
  const body = rows.map((row) => [
    ...[msToDay(row.day * dayMs), row.account_id, names.get(row.account_id) ?? null],
    ...[row.plugin_id, row.plugin_name, row.model, row.capability, row.status, row.calls, row.metered_calls],
    ...[row.prompt_tokens, row.completion_tokens, row.cached_tokens, row.reasoning_tokens],
    ...[row.unit_kind, row.input_units, row.output_units, row.duration_ms, row.first_token_ms, row.priced_calls],
    ...[row.priced_calls > 0 ? toDecimal(BigInt(row.cost)) : null, book.currency],
  ])
  return answer(range, 'days', head, body)
}

export const exportCalls = async (
  store: Pick<EventStore, 'calls'>,
  book: PriceBook,
  range: DayRange,
  filter: ReportFilter,
  nameOf: NameOf,
  members: ReadonlySet<string> | null,
): Promise<BytesAnswer> => {
  const calls = []
  let after: { time: number; id: string } | undefined
  for (;;) {
    const page = await store.calls({ ...range, pluginId: filter.providerId, after, limit: pageSize })
    for (const call of page)
      if (
        (members?.has(call.user_id) ?? true) &&
        (filter.accountId === '' || call.user_id === filter.accountId) &&
        (filter.model ?? call.model) === call.model &&
        (filter.capability ?? call.capability) === call.capability &&
        (filter.status ?? call.status) === call.status
      )
        calls.push(call)
    if (calls.length > mostRows) throw tooMany()
    const last = page.at(-1)
    if (!last || page.length < pageSize) break
    after = { time: last.created_at, id: last.id }
  }
  const names = await namesOf(new Set(calls.map((call) => call.user_id)), nameOf)
  const head = `timestamp,account_id,username,plugin_id,plugin_name,model,capability,status,prompt_tokens,
    completion_tokens,cached_tokens,reasoning_tokens,unit_kind,input_units,output_units,duration_ms,first_token_ms,
    cost,currency,error_class`
  const body = calls.map((call) => {
    const cost = costIn(book, call)
    return [
      ...[new Date(call.created_at).toISOString(), call.user_id, names.get(call.user_id) ?? null],
      ...[call.plugin_id, call.plugin_name, call.model, call.capability, call.status],
      ...[call.prompt_tokens, call.completion_tokens, call.cached_tokens, call.reasoning_tokens],
      ...[call.unit_kind, call.input_units, call.output_units, call.duration_ms, call.first_token_ms],
      ...[cost === null ? null : toDecimal(BigInt(cost)), book.currency, call.error_class],
    ]
  })
  return answer(range, 'calls', head, body)
}

const answer = (range: DayRange, kind: string, head: string, rows: (string | number | null)[][]): BytesAnswer => ({
  body: toCsv(
    head.split(',').map((name) => name.trim()),
    rows,
  ),
  mediaType: 'text/csv; charset=utf-8',
  fileName: `usage-${kind}-${range.from}-${range.to}.csv`,
  disposition: 'attachment',
})

const namesOf = async (ids: ReadonlySet<string>, nameOf: NameOf): Promise<Map<string, string>> => {
  const names = new Map<string, string>()
  for (const id of ids) {
    const name = id === '' ? null : await nameOf(id)
    if (name !== null) names.set(id, name)
  }
  return names
}

const tooMany = () => fail('too_large', 'This export has more than 100,000 rows. Choose fewer days or add a filter.')
