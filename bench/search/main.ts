/**
 * `npm run bench:search`: how well and how fast Atrium finds, and what taking documents in costs, in one run; the figures
 * are written to docs/benchmarks-search.md. `npm run bench:search -- quality` (or keyword, hybrid, ingest) measures only that,
 * and writes nothing.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { startPostgres } from '../../server/src/testing/postgres.ts'
import { folder, readCollections } from './collections.ts'
import { measureHybrid } from './hybrid.ts'
import { measureFormats, measureHarness } from './ingest.ts'
import { type KeywordFigures, measureKeyword, type Times } from './keyword.ts'
import { createPostgresPlace } from './postgres.ts'
import { measureQuality } from './quality.ts'

const only = process.argv[2]
/** Ten thousand take about as long as everything else together; SEARCH_FILES says otherwise. */
const files = Number(process.env['SEARCH_FILES'] ?? 2000)
/** A million take some ten minutes to write. */
const sizes = (process.env['SEARCH_CHUNKS'] ?? '100000,1000000').split(',').map(Number)
const fewest = Math.min(...sizes)
const wants = (part: string): boolean => only === undefined || only === part

const lines: string[] = []
const say = (line = ''): void => {
  lines.push(line)
  console.log(line)
}
const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
const count = (value: number): string => Math.round(value).toLocaleString('en')
const times = ({ p50, p95 }: Times): string => `${ms(p50)} / ${ms(p95)}`
const table = (head: readonly string[]): void => {
  say(`| ${head.join(' | ')} |`)
  say(`|${'---|'.repeat(head.length)}`)
}

const postgres = await startPostgres()
try {
  if (wants('quality')) await quality()
  if (wants('keyword')) await keyword()
  if (wants('hybrid')) await hybrid()
  if (wants('ingest')) await ingest()
  if (only === undefined) {
    writeFileSync(
      'docs/benchmarks-search.md',
      `# Benchmarks of search

One run of \`npm run bench:search\` on ${cpus().length} cores, Node ${process.versions.node}, on ${new Date().toISOString().slice(0, 10)}. SQLite files are encrypted, as they
are in use. Times are those of the second of two rounds, p50 / p95.

${lines.join('\n')}
`,
    )
  }
} finally {
  await postgres.stop()
}

async function quality(): Promise<void> {
  const collections = readCollections()
  say('## How well words are found')
  say()
  if (collections.length === 0) {
    say(
      `The judged collections are not here (${folder}; SEARCH_COLLECTIONS names another folder), so this was left out.`,
    )
    say()
    return
  }
  say(
    'nDCG of the first ten / mean average precision / recall of the first hundred, on CACM and on the questions and paragraphs of XQuAD. Everybody got the same texts and questions, and is set up as it comes.',
  )
  say()
  table([
    '',
    ...collections.map(
      ({ name, texts, questions }) => `${name} (${texts.length} texts, ${questions.length} questions)`,
    ),
  ])
  const rows = await measureQuality(collections, postgres.url)
  for (const { name, figures } of rows)
    say(
      `| ${name} | ${figures.map(({ ndcg, map, recall }) => [ndcg, map, recall].map((one) => one.toFixed(4)).join(' / ')).join(' | ')} |`,
    )
  say()
}

async function keyword(): Promise<void> {
  say('## How fast words are found')
  say()
  say(
    'Chunks of 160 words with the proportions of real text, of twenty accounts; the best fifty hits. A question has eight words, stop words among them; frequent words stand in 2 to 10 of a hundred chunks.',
  )
  say()
  const figures: [string, KeywordFigures][] = []
  for (const size of sizes) figures.push(['SQLite', await measureKeyword(size)])
  figures.push(['PostgreSQL', await measureKeyword(fewest, await createPostgresPlace(postgres.url))])
  table(['', ...figures.map(([name, { chunks }]) => `${name}, ${count(chunks)} chunks`)])
  const row = (name: string, show: (one: KeywordFigures) => string): void =>
    say(`| ${name} | ${figures.map(([, one]) => show(one)).join(' | ')} |`)
  row('Question over everything (aim: p95 ≤ 20 ms at 100,000, ≤ 100 ms at 1,000,000)', (one) => times(one.everything))
  row('Three frequent words over everything', (one) => times(one.frequent))
  row('… all three must be there', (one) => times(one.every))
  row('Question of an account with a twentieth', (one) => times(one.account))
  row('Chunks put into the index in a second', (one) => count(one.chunksPerSecond))
  row('On disk', (one) => mb(one.bytes))
  say()
}

async function hybrid(): Promise<void> {
  const figures = await measureHybrid(fewest, 384)
  say('## How fast words and vectors are found together')
  say()
  table([`SQLite, ${count(figures.chunks)} chunks, ${figures.size} numbers each`, ''])
  say(`| Words and vectors over everything (aim: p95 ≤ 50 ms) | ${times(figures.both)} |`)
  say(`| Vectors alone | ${times(figures.vectors)} |`)
  say(`| Vectors of an account with a twentieth | ${times(figures.account)} |`)
  say(`| Of the ten nearest, found among fifty | ${(figures.recall * 100).toFixed(1)} % |`)
  say(`| Vectors put into the index in a second | ${count(figures.vectorsPerSecond)} |`)
  say(`| On disk, words and vectors | ${mb(figures.bytes)} |`)
  say()
}

async function ingest(): Promise<void> {
  say('## What taking documents in costs')
  say()
  table(['Reading, with the start of its process', 'File', 'Text', 'Time', 'MB of file a second'])
  for (const { name, bytes, characters, seconds } of await measureFormats())
    say(
      `| ${name} | ${(bytes / 1e6).toFixed(1)} MB | ${(characters / 1e6).toFixed(1)} M characters | ${ms(seconds * 1000)} | ${(bytes / 1e6 / seconds).toFixed(1)} |`,
    )
  say()
  const harness = await measureHarness(files)
  table(['The whole server, over HTTP', ''])
  say(
    `| PDF of ${harness.pdfPages} pages, from upload to a hit on its last page (aim: ≤ 5 s) | ${harness.pdfSeconds.toFixed(1)} s |`,
  )
  say(`| Text files of 5 KB taken in a second, of ${count(harness.files)} | ${harness.filesPerSecond.toFixed(1)} |`)
  say(`| Memory before, and after each quarter of them (aim: flat) | ${harness.memory.map(mb).join(', ')} |`)
  say(`| Event loop late meanwhile, 99th percentile (aim: < 50 ms) | ${ms(harness.lateP99)} |`)
  say(
    `| First token of four chats of others meanwhile, p50 / p99 | ${ms(harness.firstToken.p50)} / ${ms(harness.firstToken.p99)} |`,
  )
  say()
}
