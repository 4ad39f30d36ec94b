/** A channel with a long history against one with a short one, a search in it, and a list of five hundred channels. */
import { type Bed, makeBed } from '../bed.ts'
import { spread } from '../load.ts'
import { ms, type Row, times } from '../row.ts'

const long = Number(process.env['TEAM_MESSAGES'] ?? 100_000)
const short = 1000
const channels = 500
/** An account makes so many of them at most. */
const madeByOne = 150
const rounds = 60
/** Writers side by side. */
const writers = 8

const words = ['harbour', 'lantern', 'meadow', 'orchard', 'pebble', 'quarry', 'rafter', 'saddle', 'timber', 'walnut']

const write = async ({ call, tokens }: Bed, id: string, count: number): Promise<void> => {
  let next = 0
  const writer = async (token: string): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const content = `Message ${n} of the ${words[n % 10]} and the ${words[Math.floor(n / 10) % 10]}${n}`
      await call(token, 'POST', `/api/channels/${id}/messages`, { content })
    }
  }
  await Promise.all(tokens.slice(0, writers).map(writer))
}

/** Medians in ms of what is done in turn, so that all meet the same moments. */
const inTurn = async (works: Readonly<Record<string, () => Promise<unknown>>>): Promise<Record<string, number>> => {
  const taken: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round += 1)
    for (const [name, work] of Object.entries(works)) {
      const began = performance.now()
      await work()
      ;(taken[name] ??= []).push(performance.now() - began)
    }
  return Object.fromEntries(Object.entries(taken).map(([name, all]) => [name, spread(all).p50]))
}

export async function measureHistory(): Promise<Row[]> {
  const bed = await makeBed({ accounts: writers, models: [] })
  try {
    const { call, tokens } = bed
    const [token = ''] = tokens
    const make = async (name: string): Promise<string> => {
      const { id } = await call<{ id: string }>(token, 'POST', '/api/channels', { type: 'public', name })
      for (const other of tokens.slice(1)) await call(other, 'POST', `/api/channels/${id}/join`)
      return id
    }
    const ids = { short: await make('Short'), long: await make('Long') }
    await write(bed, ids.short, short)
    const began = performance.now()
    await write(bed, ids.long, long)
    const perMessageMs = (performance.now() - began) / long

    type Page = { items: { id: string }[]; nextCursor: string | null }
    const read = (id: string, query = '') => call<Page>(token, 'GET', `/api/channels/${id}/messages${query}`)
    const places = new Map<string, { cursor: string; id: string }>()
    for (const id of Object.values(ids)) {
      const page = await read(id)
      const older = await read(id, `?cursor=${page.nextCursor}`)
      places.set(id, { cursor: older.nextCursor ?? '', id: older.items[0]?.id ?? '' })
    }
    const works = (id: string) => ({
      open: () => read(id),
      back: () => read(id, `?cursor=${places.get(id)?.cursor}`),
      around: () => read(id, `?around=${places.get(id)?.id}`),
      send: () => call(token, 'POST', `/api/channels/${id}/messages`, { content: 'One more' }),
    })
    const rows: Row[] = []
    for (const name of ['open', 'back', 'around', 'send'] as const) {
      const taken = await inTurn({ long: works(ids.long)[name], short: works(ids.short)[name] })
      const [a = 0, b = 0] = [taken['long'], taken['short']]
      rows.push([
        `${name}, ${long.toLocaleString('en')} messages / ${short.toLocaleString('en')}`,
        `${ms(a)} / ${ms(b)} = ${times(a / b)}, ${ms(a - b)} more`,
        '≤ 1.2× or ≤ 2 ms more',
      ])
    }
    const searched: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const at = performance.now()
      await call(token, 'GET', `/api/search/app?q=${encodeURIComponent(`in:channels ${words[round % 10]}`)}`)
      searched.push(performance.now() - at)
    }
    rows.push([
      'a word that a tenth of them hold, searched: median, 95th percentile',
      `${ms(spread(searched).p50)}, ${ms(spread(searched).p95)}`,
      'p95 ≤ 100 ms',
    ])
    for (let n = 0; n < channels - 2; n += 1) {
      const maker = tokens[Math.floor(n / madeByOne) + 1] ?? token
      const { id } = await call<{ id: string }>(maker, 'POST', '/api/channels', {
        type: 'public',
        name: `Channel ${n}`,
      })
      await call(token, 'POST', `/api/channels/${id}/join`)
    }
    const listed = await inTurn({ list: () => call(token, 'GET', '/api/channels?limit=500') })
    rows.push([`the list of ${channels} channels with their counts`, ms(listed['list'] ?? 0), '≤ 20 ms'])
    rows.push(['a message written, with eight writers', ms(perMessageMs), ''])
    return rows
  } finally {
    await bed.close()
  }
}
