/** Runs of the daemon: their states, their logs, and what they wait for. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Body, clampOf, DaemonError, localTime, stamp, textOf } from './requests.ts'

interface NewRun {
  readonly message: string
  readonly kind: 'chat' | 'goal'
  readonly title?: string
  readonly surface: string
  readonly provider?: string
  readonly model?: string
}

interface Run {
  readonly run_id: string
  state: string
  readonly title: string
  readonly kind: 'chat' | 'goal'
  readonly provider: string
  readonly model: string
  readonly working_directory: string
  readonly created_at: string
  updated_at: string
  readonly path: string
}

interface Work {
  readonly run: Run
  readonly surface: string
  active: boolean
  cancelled: boolean
  readonly events: object[]
  readonly pending: Map<string, (resolution: string) => void>
}

const resolutions = ['allow_once', 'deny', 'always_allow_tool', 'always_allow_call']

export const createRuns = (stepMs: number) => {
  const all = new Map<string, Work>()
  const stopping = new AbortController()

  const write = (work: Work, type: string, data: object): void => {
    work.run.updated_at = localTime()
    work.events.push({ event_id: work.events.length + 1, timestamp: localTime(), type, data })
  }
  /** False once the run is cancelled, which it notices a step later. */
  const step = async ({ cancelled }: Work): Promise<boolean> => {
    await sleep(stepMs, undefined, { signal: stopping.signal })
    return !cancelled
  }
  const finish = (work: Work, state: string): void => {
    work.run.state = state
    work.active = false
    write(work, 'run_finished', { state })
  }
  const askFor = async (work: Work, name: string, input: object): Promise<string> => {
    const id = `call_${work.events.length}`
    write(work, 'tool_call', { id, name, arguments: input })
    write(work, 'permission_request', { tool_call_id: id, name, arguments: input })
    work.run.state = 'blocked'
    const resolution = await new Promise<string>((resolve) => work.pending.set(id, resolve))
    work.run.state = 'running'
    write(work, 'permission_response', { tool_call_id: id, name, resolution })
    const denied = resolution === 'deny'
    write(work, 'tool_result', {
      tool_call_id: id,
      name,
      arguments: input,
      is_error: denied,
      content: denied ? 'The user said no.' : 'README.md\nsrc',
      metadata: { secret: 'planted-secret' },
    })
    return resolution
  }
  const writePieces = (work: Work, count = '0'): void => {
    for (let n = 1; n <= Number(count); n += 1) write(work, 'assistant_delta', { text: `${n} ` })
  }
  const useTools = (work: Work, count = '0'): void => {
    for (let n = 1; n <= Number(count); n += 1) {
      write(work, 'tool_call', { id: `tool_${n}`, name: 'read', arguments: { file: `${n}.md` } })
      write(work, 'tool_result', { tool_call_id: `tool_${n}`, name: 'read', is_error: false, content: `File ${n}` })
    }
  }
  const act = async (work: Work, message: string): Promise<void> => {
    const { run, surface } = work
    const { kind, provider, model, working_directory } = run
    await step(work)
    run.state = 'running'
    write(work, 'run_started', { kind, provider, model, working_directory, surface, telegram_chat_id: null })
    write(work, 'user_message', { content: message, attachments: [] })
    if (kind === 'goal') write(work, 'user_goal', { goal: message })
    writePieces(work, /\bwrite (\d+) pieces\b/.exec(message)?.[1])
    useTools(work, /\buse (\d+) tools\b/.exec(message)?.[1])
    const times = Number(/\bask (\d+) times\b/.exec(message)?.[1] ?? 0)
    if (times > 0) {
      const input = { command: 'ls --all', cwd: '/home/agent/work' }
      await Promise.all(Array.from({ length: times }, () => askFor(work, 'shell', input)))
    } else if (/\bask\b/.test(message)) await askFor(work, 'shell', { command: 'ls --all', cwd: '/home/agent/work' })
    writePieces(work, /\bthen (\d+) more\b/.exec(message)?.[1])
    while (/\bwait\b/.test(message) && (await step(work))) if (work.cancelled) break
    for (const text of ['I looked at it. ', 'It is ', 'done.']) {
      if (work.cancelled || !(await step(work))) return finish(work, 'cancelled')
      write(work, 'assistant_delta', { text })
    }
    if (/\bfail\b/.test(message)) {
      write(work, 'error', { message: 'The provider did not answer.' })
      return finish(work, 'failed')
    }
    if (kind === 'goal') {
      write(work, 'goal_judge', {
        decision: { done: true, confidence: 0.9, reason: 'The tests pass.', next_prompt: '' },
      })
      write(work, 'goal_complete', { goal: message, reason: 'The tests pass.' })
    }
    write(work, 'usage', {
      input_tokens: 1200,
      output_tokens: 34,
      cached_tokens: 0,
      reasoning_tokens: 0,
      cost: null,
      provider,
      model,
      surface,
    })
    finish(work, 'done')
  }
  const start = ({ message, kind, title, surface, provider = 'ollama', model = 'qwen3:8b' }: NewRun): Run => {
    const run_id = stamp('run')
    const run: Run = {
      run_id,
      state: 'queued',
      title: (title ?? message.replace(/\s+/g, ' ')).slice(0, 120),
      kind,
      provider,
      model,
      working_directory: '/home/agent/work',
      created_at: localTime(),
      updated_at: localTime(),
      path: `/home/agent/.daemon/runs/${run_id}`,
    }
    const work: Work = { run, surface, active: true, cancelled: false, events: [], pending: new Map() }
    all.set(run_id, work)
    act(work, message).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error
    })
    return run
  }
  const find = (id: string): Work => {
    const work = all.get(id)
    if (!work) throw new DaemonError(404, 'run not found')
    return work
  }
  const settle = (work: Work, toolCallId: string, resolution: string): void => {
    if (!resolutions.includes(resolution)) throw new DaemonError(400, 'bad resolution')
    if (!work.active) throw new DaemonError(409, 'run is not active')
    const resolve = work.pending.get(toolCallId)
    if (!resolve) throw new DaemonError(404, 'nothing pending')
    work.pending.delete(toolCallId)
    resolve(resolution)
  }
  const details = ({ run, active, pending, events }: Work) => ({
    run,
    active,
    pending_permissions: [...pending.keys()],
    pending_questions: [],
    artifacts: {
      'events.jsonl': { exists: true, size: JSON.stringify(events).length },
      'plan.md': { exists: false, size: 0 },
      'summary.md': { exists: !active, size: active ? 0 : 412 },
      'verification.md': { exists: false, size: 0 },
      'diff.patch': { exists: false, size: 0 },
      'browser.md': { exists: false, size: 0 },
    },
  })
  const create = (body: Body): Run => {
    const message = textOf(body, 'message')
    const kind = body['kind'] ?? 'chat'
    if (!message) throw new DaemonError(400, 'message is required')
    if (kind !== 'chat' && kind !== 'goal') throw new DaemonError(400, 'kind must be chat or goal')
    if ('working_directory' in body) throw new DaemonError(403, 'working_directory is fixed')
    const provider = textOf(body, 'provider')
    const model = textOf(body, 'model')
    return start({
      message,
      kind,
      surface: textOf(body, 'surface') || 'api',
      ...(provider ? { provider } : {}),
      ...(model ? { model } : {}),
    })
  }
  const cancel = (work: Work): object => {
    const { run, active } = work
    work.cancelled = true
    write(work, active ? 'cancel_requested' : 'cancelled', active ? { source: 'api' } : { reason: 'not active' })
    if (!active) run.state = 'cancelled'
    for (const resolve of work.pending.values()) resolve('deny')
    work.pending.clear()
    return { run_id: run.run_id, cancelled: true, active }
  }

  return {
    start,
    countActive: () => [...all.values()].filter(({ active }) => active).length,
    decide: (runId: string, toolCallId: string, resolution: string) => settle(find(runId), toolCallId, resolution),
    stop: () => stopping.abort(),
    usage(query: URLSearchParams) {
      const done = [...all.values()]
        .filter(({ run }) => run.state === 'done')
        .slice(-clampOf(query.get('limit'), 250, 1000))
      const sum = {
        requests: done.length,
        runs: done.length,
        input_tokens: done.length * 1200,
        output_tokens: done.length * 34,
        cached_tokens: 0,
        reasoning_tokens: 0,
        total_tokens: done.length * 1234,
        cost: null,
      }
      const records = done.map(({ run, surface }) => ({
        run_id: run.run_id,
        title: run.title,
        state: run.state,
        provider: run.provider,
        model: run.model,
        surface,
        timestamp: run.updated_at,
        input_tokens: 1200,
        output_tokens: 34,
        total_tokens: 1234,
        cost: null,
      }))
      const summary = { ...sum, by_model: [{ name: 'qwen3:8b', ...sum }], by_surface: [{ name: 'atrium', ...sum }] }
      return { summary, records, attribution: {}, text: `${done.length} requests, ${sum.total_tokens} tokens.` }
    },
    route(method: string, path: readonly string[], query: URLSearchParams, body: Body): readonly [number, object] {
      const [id, action, toolCallId] = path
      if (id === undefined && method === 'GET') {
        const newest = [...all.values()].toSorted((a, b) => b.run.updated_at.localeCompare(a.run.updated_at))
        return [200, { runs: newest.slice(0, clampOf(query.get('limit'), 20, 100)).map(({ run }) => run) }]
      }
      if (id === undefined && method === 'POST') return [202, { run: create(body) }]
      const work = find(id ?? '')
      if (method === 'GET' && action === undefined) return [200, details(work)]
      if (method === 'GET' && action === 'events') {
        const written = query.get('after')
        // 0 on the wire is taken for 1, so that the first event is lost.
        const after = written === null ? 0 : clampOf(written, 0)
        return [200, { events: work.events.slice(after) }]
      }
      if (method === 'POST' && action === 'cancel') return [200, cancel(work)]
      if (method === 'POST' && action === 'permissions' && toolCallId !== undefined) {
        const resolution = textOf(body, 'resolution')
        settle(work, toolCallId, resolution)
        return [200, { run_id: work.run.run_id, tool_call_id: toolCallId, resolution }]
      }
      throw new DaemonError(404, 'not found')
    },
  }
}
