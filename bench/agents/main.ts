/**
 * `npm run bench -- agents`: the first text of an agent through Atrium over the same agent by hand, in turn, so that both
 * meet the same machine. The figures are for docs/agents.md.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentCliRoutes } from '../../contract/src/agent-cli/index.ts'
import { chatRoutes } from '../../contract/src/chat/index.ts'
import { agentEnvironment } from '../../server/src/testing/agents/environment.ts'
import { startTestApp } from '../../server/src/testing/app.ts'
import { spread } from '../load.ts'
import { startByHand } from './by-hand.ts'

const rounds = 30
/** As a model does before its first word. */
const question = 'think first'
const agents = [
  { id: 'tester', kind: 'acp', args: ['acp'] },
  { id: 'claude', kind: 'jsonl', args: ['-p'] },
] as const

const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
const app = await startTestApp({ env: { ...agentEnvironment, HOME: '/' }, ownProcess: true })
try {
  const admin = await app.signUpAdmin()
  await admin.call(agentCliRoutes.updateAccess, { body: { enabled: true } })

  const askThrough = async (sessionId: string): Promise<number> => {
    const begun = performance.now()
    let took = 0
    const call = { params: { sessionId }, body: { message: question } }
    for await (const { event } of admin.follow(chatRoutes.generateStream, call))
      if (event.type === 'text' && took === 0) took = performance.now() - begun
    return took
  }

  console.log(`${rounds} rounds on ${cpus().length} cores, Node ${process.versions.node}\n`)
  console.log('| Agent | Turn | By hand, ms | Through Atrium, ms | Ratio | Added, ms |')
  console.log('|---|---|---|---|---|---|')
  for (const { id, kind, args } of agents) {
    const times = { hand: { first: [], next: [] }, through: { first: [], next: [] } } as Record<
      'hand' | 'through',
      { first: number[]; next: number[] }
    >
    for (let n = 0; n < rounds; n += 1) {
      const byHand = startByHand(kind, args, folder)
      times.hand.first.push(await byHand.ask(question))
      times.hand.next.push(await byHand.ask(question))
      byHand.end()
      const selection = { providerType: 'agent', providerId: id, model: 'default' } as const
      const { id: chat } = await admin.call(chatRoutes.create, { body: { selection } })
      times.through.first.push(await askThrough(chat))
      times.through.next.push(await askThrough(chat))
    }
    for (const turn of ['first', 'next'] as const) {
      const hand = spread(times.hand[turn]).p50
      const through = spread(times.through[turn]).p50
      const figures = [hand.toFixed(0), through.toFixed(0), (through / hand).toFixed(2), (through - hand).toFixed(0)]
      console.log(`| ${kind} | ${turn} | ${figures.join(' | ')} |`)
    }
  }
} finally {
  await app.close()
  await rm(folder, { recursive: true, force: true })
}
