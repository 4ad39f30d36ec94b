/** What it costs that there are many tools and servers, whether they are used or not. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Atrium, startAtrium } from '../../e2e/atrium.ts'
import { type Bed, callTo, makeBed } from '../bed.ts'
import { spread, stream } from '../load.ts'
import { ms, type Row } from '../row.ts'
import { ratio } from './row.ts'
import { acceptAll, makeTool, registerAll, type Servers, signUp, startServers } from './servers.ts'

const model = 'obedient:bench'
const rounds = 60
const serverCount = 50
/** So that all together have 500. */
const toolsEach = 10
const mostToolsEach = 128
const lettersPerToken = 4

export async function measureMany(): Promise<Row[]> {
  const servers = await startServers(serverCount, toolsEach)
  const bed = await makeBed({ accounts: 1, models: [model], environment: { OUTBOUND_ALLOW: servers.hosts } })
  try {
    const token = bed.tokens[0] ?? ''
    const ids = (await catalogue(bed, token)).map(({ id }) => id).slice(0, 10)
    const some = await measureFirsts(bed, token, { choice: 'auto', ids })
    const registered = await registerAll(bed.call, token, servers)
    await measureFirsts(bed, token, { choice: 'auto' }, 1)
    const onDemand = (await toolLetters(bed)) - (await lettersOfBuiltins(bed, token))
    const all = lettersOf(await catalogue(bed, token))
    servers.offer(mostToolsEach)
    await acceptAll(bed.call, token, registered)
    const listed: number[] = []
    for (let n = 0; n < 60; n += 1) {
      const began = performance.now()
      await catalogue(bed, token)
      listed.push(performance.now() - began)
    }
    await Promise.all(servers.all.slice(0, serverCount / 2).map((server) => server.close()))
    const many = await measureFirsts(bed, token, { choice: 'auto' })
    const first = (name: string, { some: a, none: b }: Firsts, aim: string): Row => [
      `First token of an answer with ${name} over none, median`,
      `${ms(a)} / ${ms(b)} = ${ratio(a, b)}, adds ${ms(a - b)}`,
      aim,
    ]
    return [
      first('10 tools', some, '≤ 1.05×, ≤ 10 ms'),
      first(`${serverCount} servers of ${mostToolsEach} tools, 25 of them dead,`, many, '≤ 1.1×'),
      [`Catalogue of ${serverCount} × ${mostToolsEach} tools: 95th percentile`, ms(spread(listed).p95), '≤ 50 ms'],
      [
        `What ${serverCount * toolsEach} tools of servers add to a request, on demand over all of them`,
        `${tokens(onDemand)} / ${tokens(all)} tokens = ${ratio(onDemand, all)}`,
        '≤ 0.05×',
      ],
    ]
  } finally {
    await bed.close()
    await servers.close()
  }
}

const tokens = (letters: number): string => Math.round(letters / lettersPerToken).toLocaleString('en')

interface Firsts {
  readonly some: number
  readonly none: number
}

/** Medians of the first token, by turns; each chat grows as the other does. */
async function measureFirsts(bed: Bed, token: string, tools: object, count = rounds): Promise<Firsts> {
  const chats = { some: await bed.chat(token, model), none: await bed.chat(token, model) }
  const figures = { some: [] as number[], none: [] as number[] }
  for (let round = 0; round < count + 5; round += 1)
    for (const [name, choice] of [
      ['none', { choice: 'off' }],
      ['some', tools],
    ] as const) {
      const url = `${bed.url}/api/chat/sessions/${chats[name]}/generate/stream`
      const body = { message: 'And now?', tools: choice }
      const { firstMs } = await stream({ url, token, body, mark: 'event: text' })
      if (round >= 5 || count === 1) figures[name].push(firstMs)
    }
  return { some: spread(figures.some).p50, none: spread(figures.none).p50 }
}

interface Listed {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly source: string
}
const catalogue = async (bed: Bed, token: string): Promise<Listed[]> =>
  (await bed.call<{ tools: Listed[] }>(token, 'GET', '/api/tools/catalog')).tools

/** Characters of the definitions that the model was told of last. */
async function toolLetters(bed: Bed): Promise<number> {
  const { requests } = (await (await fetch(`${bed.provider}/control`)).json()) as {
    requests: { path: string; body: { tools?: object[] } }[]
  }
  const told = requests.findLast(({ path, body }) => path === '/api/chat' && (body.tools?.length ?? 0) > 0)
  return JSON.stringify(told?.body.tools ?? []).length
}

/** The same without servers: what is built in is told in any case. */
async function lettersOfBuiltins(bed: Bed, token: string): Promise<number> {
  const ids = (await catalogue(bed, token)).filter(({ source }) => source === 'builtin').map(({ id }) => id)
  await measureFirsts(bed, token, { choice: 'auto', ids }, 1)
  return toolLetters(bed)
}

/** Of the tools of servers, as the model would be told of each. */
const lettersOf = (listed: readonly Listed[]): number =>
  listed
    .filter(({ source }) => source === 'mcp')
    .map(({ name, description }) => ({ name, description, parameters: makeTool(0).inputSchema }))
    .reduce((sum, definition) => sum + JSON.stringify({ type: 'function', function: definition }).length + 1, 0)

/** From starting the process to the first ready answer, by turns, with 100 registered servers and without. */
export async function measureStarts(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  const stdioFile = join(folder, 'servers.json')
  const servers = await startServers(serverCount, toolsEach)
  await writeFile(stdioFile, JSON.stringify({ mcpServers: {} }))
  const plain = await startAtrium({ LOG_LEVEL: 'silent' })
  const full = await startAtrium({
    LOG_LEVEL: 'silent',
    OUTBOUND_ALLOW: servers.hosts,
    TOOLS_STDIO_FILE: stdioFile,
  })
  try {
    await registerOn(full, servers)
    // As many again that are programs, which are taken over from their file at the next start.
    const programs = Array.from({ length: serverCount }, (_, at) => [`program-${at}`, { command: '/bin/true' }])
    await writeFile(stdioFile, JSON.stringify({ mcpServers: Object.fromEntries(programs) }))
    const figures = { none: [] as number[], many: [] as number[] }
    for (let round = 0; round < 9; round += 1)
      for (const [name, atrium] of [
        ['none', plain],
        ['many', full],
      ] as const) {
        await atrium.kill()
        await atrium.start()
        if (round > 1) figures[name].push(atrium.startedInMs)
      }
    const [many, none] = [spread(figures.many).p50, spread(figures.none).p50]
    return [
      [
        'Start with 100 registered servers over none, median',
        `${ms(many)} / ${ms(none)} = ${ratio(many, none)}`,
        '≤ 1.05×',
      ],
    ]
  } finally {
    await Promise.all([plain.close(), full.close()])
    await servers.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function registerOn(atrium: Atrium, servers: Servers): Promise<void> {
  await registerAll(callTo(atrium.url), await signUp(atrium.url), servers)
}
