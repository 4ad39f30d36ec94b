/** A channel of a thousand people who all look: from the answer to the last screen, beside a bare broadcast of the same bytes. */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Bed, makeBed, memory, pause, processor } from '../bed.ts'
import { spread } from '../load.ts'
import { openFollowers, socketOf } from './followers.ts'
import { ms, type Row, times } from '../row.ts'

const members = Number(process.env['TEAM_MEMBERS'] ?? 1000)
const messages = 100
const perSecond = 10
const idleMs = 10_000
const mb = 1024 * 1024

interface Broadcast {
  /** From sending to the answer, and from the answer to the last screen; below zero, the last screen was first. */
  readonly answered: ReturnType<typeof spread>
  readonly arrived: ReturnType<typeof spread>
  /** From sending to the last screen. */
  readonly whole: ReturnType<typeof spread>
}

/** Ten messages a second; `post` sends one that holds the mark. */
const measure = async (
  followers: Awaited<ReturnType<typeof openFollowers>>,
  post: (mark: string) => Promise<unknown>,
): Promise<Broadcast> => {
  const answered: number[] = []
  const arrived: number[] = []
  const whole: number[] = []
  const send = async (): Promise<void> => {
    const mark = randomUUID()
    const last = followers.lastArrival(mark)
    const began = performance.now()
    await post(mark)
    const at = performance.now()
    answered.push(at - began)
    const end = await last
    arrived.push(end - at)
    whole.push(end - began)
  }
  const running: Promise<void>[] = []
  for (let n = 0; n < messages; n += 1) {
    running.push(send())
    await pause(1000 / perSecond)
  }
  await Promise.all(running)
  return { answered: spread(answered), arrived: spread(arrived), whole: spread(whole) }
}

const bare = async (frameBytes: number): Promise<Broadcast> => {
  const child = fork('bench/team/broadcast.ts')
  const [{ port }] = (await once(child, 'message')) as [AddressInfo]
  const followers = await openFollowers(Array.from({ length: members }, () => async () => `ws://127.0.0.1:${port}`))
  const rest = 'x'.repeat(frameBytes)
  const figures = await measure(followers, (mark) =>
    fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: `${mark}${rest}` }).then((answer) => answer.text()),
  )
  await followers.close()
  child.kill()
  return figures
}

/** A channel with everybody in it; gives its id. */
export const makeChannel = async ({ call, tokens }: Bed, name: string): Promise<string> => {
  const [first = '', ...others] = tokens
  const { id } = await call<{ id: string }>(first, 'POST', '/api/channels', { type: 'public', name })
  for (const token of others) await call(token, 'POST', `/api/channels/${id}/join`)
  return id
}

export async function measureChannels(): Promise<Row[]> {
  const bed = await makeBed({ accounts: members + 1, models: [] })
  try {
    const { call, tokens } = bed
    const [sender = ''] = tokens
    const id = await makeChannel(bed, 'Everybody')
    await pause(2000)
    const restBytes = memory(bed.pid)
    const followers = await openFollowers(tokens.slice(1).map((token) => socketOf(bed, token)))
    await pause(2000)
    const socketBytes = (memory(bed.pid) - restBytes) / members
    const busy = processor(bed.pid)
    await pause(idleMs)
    const idleShare = (processor(bed.pid) - busy) / idleMs

    const post = (content: string) => call(sender, 'POST', `/api/channels/${id}/messages`, { content })
    const warm = followers.lastArrival('warm-up')
    await post('warm-up')
    await warm
    const busyBefore = processor(bed.pid)
    await bed.lateness()
    const figures = await measure(followers, (mark) => post(`${mark} ${'some words to everybody '.repeat(4)}`))
    const cpuMs = (processor(bed.pid) - busyBefore) / messages
    const late = await bed.lateness()
    const floor = await bare(400)

    const plain: number[] = []
    const calls: number[] = []
    const rowsMs: number[] = []
    await bed.lateness()
    for (let round = 0; round < 5; round += 1) {
      let began = performance.now()
      await post(`plain ${round}`)
      plain.push(performance.now() - began)
      began = performance.now()
      await post(`@channel ${round}`)
      calls.push(performance.now() - began)
      const token = tokens.at(-1) ?? ''
      const counted = () => call<{ count: number }>(token, 'GET', '/api/notifications/unread-count')
      while ((await counted()).count <= round && performance.now() - began < 30_000) await pause(20)
      rowsMs.push(performance.now() - began)
      await pause(1000)
    }
    const lateInCalls = await bed.lateness()
    await followers.close()
    return [
      [
        `${members} people look, ${perSecond} messages a second: from answer to last screen, median, 99th percentile`,
        `${ms(figures.arrived.p50)}, ${ms(figures.arrived.p99)}`,
        '≤ 40 ms, ≤ 150 ms',
      ],
      [
        '… from sending to the last screen, median: a bare broadcast / Atrium',
        `${ms(floor.whole.p50)} / ${ms(figures.whole.p50)} = ${times(floor.whole.p50 / figures.whole.p50)}`,
        '≥ 0.50×',
      ],
      ['… processor of Atrium for each message', ms(cpuMs), ''],
      ['… event loop late: median, 99th percentile', `${ms(late.p50)}, ${ms(late.p99)}`, ''],
      ['An idle connection takes', `${(socketBytes / 1024).toFixed(0)} KB`, '≤ 50 KB'],
      [`${members} idle connections take of a core`, `${(idleShare * 100).toFixed(1)} %`, '≤ 2 %'],
      [
        `@channel to ${members} members: the sender waits / of a plain message, medians`,
        `${ms(spread(calls).p50)} / ${ms(spread(plain).p50)} = ${times(spread(calls).p50 / spread(plain).p50)}`,
        '≤ 1.5×',
      ],
      ['… until the last member has it, at most', ms(Math.max(...rowsMs)), '≤ 2 s'],
      ['… event loop late meanwhile: 99th percentile', ms(lateInCalls.p99), '< 50 ms'],
      ['Resident memory with all of them', `${(memory(bed.pid) / mb).toFixed(0)} MB`, ''],
    ]
  } finally {
    await bed.close()
  }
}
