/** What a run of a program takes beside a bare interpreter, and what programs take from those who read answers. */
import { execFileSync } from 'node:child_process'
import { startAtrium } from '../../e2e/atrium.ts'
import { type Bed, callTo, type Lateness, makeBed, pause } from '../bed.ts'
import { spread } from '../load.ts'
import { makeChats, question, type Spread, steadily } from '../streams.ts'
import { ms, type Row } from '../row.ts'
import { ratio } from './row.ts'
import { signUp } from './servers.ts'

const coldRounds = 7
const warmRounds = 20
/** In which a process that is ready for the next program has loaded. */
const loadsMs = 2500

const programs = {
  javascript: { code: 'console.log(6 * 7)', command: process.execPath, args: ['-e', 'console.log(6 * 7)'] },
  python: { code: 'print(6 * 7)', command: findPython(), args: ['-c', 'print(6 * 7)'] },
} as const
type Language = keyof typeof programs

const aims = { javascript: { cold: '≤ 150 ms', warm: '≤ 30 ms' }, python: { cold: '≤ 1.5 s', warm: '≤ 0.9 s' } }

/** Cold: the first run after a start. Warm: a process has been loaded meanwhile, as it is after each run. */
export async function measureCode(): Promise<Row[]> {
  const atrium = await startAtrium({ LOG_LEVEL: 'silent' })
  try {
    const token = await signUp(atrium.url)
    const run = async (language: Language): Promise<number> => {
      const body = { language, code: programs[language].code, chatId: null }
      const began = performance.now()
      const { end } = await callTo(atrium.url)<{ end: string }>(token, 'POST', '/api/code-interpreter/runs', body)
      if (end !== 'finished') throw new Error(`A program ended as ${end}.`)
      return performance.now() - began
    }
    const figures = { javascript: makeFigures(), python: makeFigures() }
    for (let round = 0; round < coldRounds; round += 1) {
      await atrium.kill()
      await atrium.start()
      await callTo(atrium.url)(token, 'GET', '/api/code-interpreter/access')
      for (const language of ['javascript', 'python'] as const) {
        figures[language].bare.push(runBare(language))
        figures[language].cold.push(await run(language))
        await pause(loadsMs)
      }
    }
    for (let round = 0; round < warmRounds; round += 1)
      for (const language of ['javascript', 'python'] as const) {
        figures[language].bare.push(runBare(language))
        figures[language].warm.push(await run(language))
        await pause(loadsMs / 2)
      }
    return (['javascript', 'python'] as const).flatMap((language): Row[] => {
      const middle = (all: readonly number[]) => spread(all).p50
      const { bare, cold, warm } = figures[language]
      const [name, beside] = language === 'python' ? ['Python', 'python3'] : ['JavaScript', 'node']
      const figure = (all: readonly number[]) =>
        `${ms(middle(all))} / ${ms(middle(bare))} = ${ratio(middle(all), middle(bare))}, at best ${ms(Math.min(...all))}`
      return [
        [`A program in ${name}, cold, over a bare ${beside}, median`, figure(cold), aims[language].cold],
        ['… warm', figure(warm), aims[language].warm],
      ]
    })
  } finally {
    await atrium.close()
  }
}

const makeFigures = () => ({ bare: [] as number[], cold: [] as number[], warm: [] as number[] })

function runBare(language: Language): number {
  const began = performance.now()
  execFileSync(programs[language].command, programs[language].args)
  return performance.now() - began
}

/** The interpreter itself, and no script that looks for it at each start. */
function findPython(): string {
  return execFileSync('python3', ['-c', 'import sys; print(sys.executable)']).toString().trim()
}

const paced = 'long-100-drip-20:bench'
const accounts = 120
const rounds = 2

/** 200 streams open, 100 beginning each second: by turns with a sandbox that is full and with one that is empty. */
export async function measureBeside(): Promise<Row[]> {
  const bed = await makeBed({ accounts, models: [paced] })
  try {
    const chats = await makeChats(bed, 600, paced)
    const ask = (n: number) => question(bed, 'through', paced, chats[n % chats.length]).run
    await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n)))
    const found = { quiet: [] as Measured[], full: [] as Measured[] }
    for (let round = 0; round < rounds; round += 1) {
      found.quiet.push(await measureOnce(bed, ask))
      const empty = fillSandbox(bed)
      await pause(2000)
      found.full.push(await measureOnce(bed, ask))
      await empty()
      await pause(2000)
    }
    const mean = (all: readonly Measured[], of: (one: Measured) => number) =>
      all.reduce((sum, one) => sum + of(one), 0) / all.length
    const [quiet, full] = [found.quiet, found.full]
    const first = (one: Measured) => one.first.p50
    const late = (one: Measured) => one.late.p99
    return [
      [
        'First token, 200 streams open, beside a full sandbox over an empty one, median',
        `${ms(mean(full, first))} / ${ms(mean(quiet, first))}, adds ${ms(mean(full, first) - mean(quiet, first))}`,
        '≤ 10 ms more',
      ],
      ['… event loop late: 99th percentile', `${ms(mean(full, late))} / ${ms(mean(quiet, late))}`, '< 50 ms'],
    ]
  } finally {
    await bed.close()
  }
}

interface Measured {
  readonly first: Spread
  readonly late: Lateness
}

async function measureOnce(bed: Bed, ask: Parameters<typeof steadily>[0]): Promise<Measured> {
  await bed.lateness()
  const first = await steadily(ask)
  return { first, late: await bed.lateness() }
}

/** Endless programs of four accounts, in every place; gives what ends them. */
function fillSandbox(bed: Bed): () => Promise<void> {
  const enough = new AbortController()
  const body = JSON.stringify({ language: 'javascript', code: 'for (;;);', chatId: null })
  const runs = bed.tokens.slice(0, 4).map(async (token) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    while (!enough.signal.aborted)
      await fetch(`${bed.url}/api/code-interpreter/runs`, { method: 'POST', headers, body, signal: enough.signal })
        .then((answer) => answer.text())
        .catch(() => undefined)
  })
  return async () => {
    enough.abort()
    await Promise.all(runs)
  }
}
