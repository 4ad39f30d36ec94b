import type { HarnessRunEvent } from '@atrium/contract/agent-harness'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AgentDaemon, startAgentDaemon } from '../../../../e2e/agent-daemon/daemon.ts'
import type { Frame } from '../../platform/http/area.ts'
import { createLog } from '../../platform/log/log.ts'
import { hostAndPort } from '../../platform/outbound/destination.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import { DaemonFailure } from './daemon/failure.ts'
import { createRunFollowing } from './follow-runs.ts'
import { createAskDaemon, createDaemon } from './index.ts'

const soon = { timeout: 120_000, interval: 10 }
const log = createLog({ level: 'silent' })

let server: AgentDaemon
let outbound: Outbound
let daemon: ReturnType<typeof createDaemon>
let following: ReturnType<typeof createRunFollowing>

beforeEach(async () => {
  server = await startAgentDaemon()
  const place = new Set([hostAndPort(server.url)])
  outbound = createOutbound({ allowed: () => place, log })
  daemon = createDaemon(createAskDaemon({ outbound, baseUrl: server.url, timeoutMs: 10_000 }))
  following = createRunFollowing({ daemon: async () => daemon, log, pollMs: 10 })
})
afterEach(async () => {
  following.stop()
  await outbound.close()
  await server.close()
})

const never = new AbortController().signal
const start = (message: string) => daemon.startRun({ message, kind: 'chat' })
const blocked = (id: string) =>
  vi.waitFor(async () => {
    const [toolCallId] = (await daemon.run(id, never)).pendingPermissions
    if (!toolCallId) throw new Error('nothing waits')
    return toolCallId
  }, soon)
/** Follows, and keeps what came. */
const collect = (id: string, after = 0, signal = never) => {
  const frames: Frame<HarnessRunEvent>[] = []
  const read = async () => {
    for await (const frame of following.follow(id, after, signal)) frames.push(frame)
  }
  return { frames, ended: read() }
}
const isWhole = (frames: readonly Frame<HarnessRunEvent>[]) => {
  expect(frames.at(-1)?.event.type).toBe('done')
  expect(frames.slice(0, -1).map(({ seq }) => seq)).toEqual(frames.slice(0, -1).map((_, index) => index + 1))
}

test('many who follow a run share one poll, which ends with the run', async () => {
  const { runId } = await start('ask me first')
  const toolCallId = await blocked(runId)
  const all = Array.from({ length: 20 }, () => collect(runId))
  await vi.waitFor(() => expect(all.map(({ frames }) => frames.length)).toEqual(all.map(() => 4)), soon)
  expect(following.size).toBe(1)
  // Each poll asks for what came after the last event: only the first asks for everything, and nobody asks for himself.
  const whole = server.asked.filter((question) => question === `GET /runs/${runId}/events`)
  expect(whole).toHaveLength(1)
  await daemon.decide(runId, toolCallId, 'allow_once')
  await Promise.all(all.map(({ ended }) => ended))
  for (const { frames } of all) isWhole(frames)
  expect(following.size).toBe(0)
})

test('whoever leaves takes the poll with him when nobody else follows', async () => {
  const { runId } = await start('wait for me')
  const leave = new AbortController()
  const { frames, ended } = collect(runId, 0, leave.signal)
  await vi.waitFor(() => expect(frames.length).toBeGreaterThan(0), soon)
  leave.abort()
  await ended
  expect(following.size).toBe(0)
})

test('a daemon that is away for a while costs who follows nothing but time', async () => {
  const { runId } = await start('ask me first')
  const toolCallId = await blocked(runId)
  const { frames, ended } = collect(runId)
  await vi.waitFor(() => expect(frames).toHaveLength(4), soon)
  let refused = 0
  server.answerWith((_request, response) => {
    refused += 1
    response.socket?.destroy()
  })
  await vi.waitFor(() => expect(refused).toBeGreaterThan(2), soon)
  server.answerWith(null)
  await daemon.decide(runId, toolCallId, 'deny')
  await ended
  isWhole(frames)
})

test('a run that is gone ends the following with its error', async () => {
  await expect(collect('run-of-nobody').ended).rejects.toMatchObject({ kind: 'refused', status: 404 })
})

test('whoever reads slowly gets what is written meanwhile, however much that is', async () => {
  const { runId } = await start('write 400 pieces, ask, then 400 more')
  const toolCallId = await blocked(runId)
  const reading = following.follow(runId, 0, never)
  const frames = [(await reading.next()).value as Frame<HarnessRunEvent>]
  await daemon.decide(runId, toolCallId, 'allow_once')
  // The poll has seen the end of the run, while the reader has taken one event.
  await vi.waitFor(() => expect(following.size).toBe(0), soon)
  for await (const frame of reading) frames.push(frame)
  expect(frames.length).toBeGreaterThan(800)
  isWhole(frames)
})

test('a daemon that goes away while somebody is behind costs nothing but time either', async () => {
  const { runId } = await start('write 400 pieces')
  let asked = 0
  const shaky = createRunFollowing({
    daemon: async () => ({
      run: daemon.run,
      events(id, after, signal) {
        asked += 1
        if (asked === 2) throw new DaemonFailure('unreachable', 'It is away.')
        return daemon.events(id, after, signal)
      },
    }),
    log,
    pollMs: 10,
  })
  await vi.waitFor(async () => expect((await daemon.run(runId, never)).active).toBe(false), soon)
  const frames: Frame<HarnessRunEvent>[] = []
  for await (const frame of shaky.follow(runId, 0, never)) frames.push(frame)
  isWhole(frames)
})

test('a log that cannot be read is told after some tries', async () => {
  const { runId } = await start('wait for me')
  const { frames, ended } = collect(runId)
  const failed = ended.catch((error: unknown) => error)
  await vi.waitFor(() => expect(frames.length).toBeGreaterThan(0), soon)
  server.answerWith((_request, response) => response.writeHead(200).end('<html></html>'))
  expect(await failed).toMatchObject({ kind: 'bad-answer' })
  expect(following.size).toBe(0)
})
