/** Automations of the daemon. Schedules are checked and not kept: nothing runs by itself here. */
import { parseSchedule } from '../../contract/src/schedule.ts'
import { type Body, clampOf, DaemonError, stamp, textOf } from './requests.ts'
import type { createRuns } from './runs.ts'

type Automation = Record<string, unknown> & { automation_id: string; name: string; status: string; next_run_at: string }

export const createAutomations = (runs: ReturnType<typeof createRuns>) => {
  const all = new Map<string, Automation>()
  const now = () => new Date().toISOString().replace(/\.\d+Z$/, '+00:00')
  const nextTime = () =>
    new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000).toISOString().replace(/\.\d+Z$/, '+00:00')

  const check = (fields: Body): void => {
    for (const name of ['name', 'prompt', 'schedule'])
      if (name in fields && !textOf(fields, name)) throw new DaemonError(400, `${name} is required`)
    if ('schedule' in fields && !parseSchedule(textOf(fields, 'schedule'))) throw new DaemonError(400, 'bad schedule')
    if (fields['route'] === 'telegram' && !fields['telegram_chat_id'])
      throw new DaemonError(400, 'telegram_chat_id is required')
  }
  const create = (body: Body): Automation => {
    check({ name: '', prompt: '', schedule: '', ...body })
    const automation: Automation = {
      automation_id: stamp('auto'),
      prompt: textOf(body, 'prompt'),
      schedule: textOf(body, 'schedule'),
      name: textOf(body, 'name').slice(0, 120),
      route: body['route'] ?? 'report',
      status: textOf(body, 'status') || 'active',
      provider: textOf(body, 'provider') || 'ollama',
      model: textOf(body, 'model') || 'qwen3:8b',
      working_directory: '/home/agent/work',
      created_at: now(),
      updated_at: now(),
      next_run_at: nextTime(),
      last_run_at: null,
      last_run_id: null,
      telegram_chat_id: body['telegram_chat_id'] ?? null,
      report_path: null,
      metadata: {},
      path: '/home/agent/.daemon/automations.json',
    }
    all.set(automation.automation_id, automation)
    return automation
  }
  const find = (id: string): Automation => {
    const automation = all.get(id)
    if (!automation) throw new DaemonError(404, 'automation not found')
    return automation
  }
  const runNow = (automation: Automation) => {
    const run = runs.start({
      message: String(automation['prompt']),
      kind: 'chat',
      title: `Scheduled: ${automation.name}`,
      surface: `automation:${String(automation['route'])}`,
    })
    Object.assign(automation, { last_run_id: run.run_id, last_run_at: now(), next_run_at: nextTime() })
    return run
  }
  const listed = () =>
    [...all.values()].toSorted(
      (a, b) =>
        a.status.localeCompare(b.status) || a.next_run_at.localeCompare(b.next_run_at) || a.name.localeCompare(b.name),
    )

  return {
    /** Gives them all a model, and tells how many there are. */
    adopt(model: { provider: string; model: string }): number {
      for (const automation of all.values()) Object.assign(automation, { provider: model.provider, model: model.model })
      return all.size
    },
    route(method: string, path: readonly string[], query: URLSearchParams, body: Body): readonly [number, object] {
      const [id, action] = path
      if (id === undefined && method === 'GET')
        return [200, { automations: listed().slice(0, clampOf(query.get('limit'), 50, 200)) }]
      if (id === undefined && method === 'POST') return [201, { automation: create(body) }]
      const automation = find(id ?? '')
      if (action === undefined && method === 'GET') return [200, { automation }]
      if (action === undefined && (method === 'PATCH' || method === 'PUT')) {
        check(body)
        Object.assign(automation, body, { updated_at: now() })
        return [200, { automation }]
      }
      if (action === undefined && method === 'DELETE') {
        all.delete(automation.automation_id)
        return [200, { deleted: true }]
      }
      if (method !== 'POST') throw new DaemonError(404, 'not found')
      if (action === 'run') return [202, { run: runNow(automation), automation }]
      if (action !== 'pause' && action !== 'resume') throw new DaemonError(404, 'not found')
      automation.status = action === 'pause' ? 'paused' : 'active'
      return [200, { automation }]
    },
  }
}
