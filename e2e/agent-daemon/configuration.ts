/** Model, fallback and theme of the daemon. */
import type { createAutomations } from './automations.ts'
import { type Body, DaemonError, textOf } from './requests.ts'

export const createConfiguration = (automations: ReturnType<typeof createAutomations>) => {
  const model = { provider: 'ollama', model: 'qwen3:8b', context_window_tokens: 32_768 }
  const fallback = { enabled: false, recheck_after_attempts: 5, routes: [] as object[] }
  const keptAt = (kept: boolean) => (kept ? '/home/agent/.daemon/config.toml' : null)

  return {
    route(method: string, [part = '']: readonly string[], body: Body): readonly [number, object] {
      if (part === 'model' && method === 'GET') return [200, model]
      if (part === 'model' && method === 'PATCH') {
        const provider = textOf(body, 'provider')
        if (!provider || !textOf(body, 'model')) throw new DaemonError(400, 'provider and model are required')
        Object.assign(model, { provider: provider === 'local' ? 'ollama' : provider, model: textOf(body, 'model') })
        const kept = body['persist_global'] === true
        return [
          200,
          { ...model, persisted_path: keptAt(kept), automations_updated: kept ? automations.adopt(model) : 0 },
        ]
      }
      if (part === 'fallback' && method === 'GET') return [200, fallback]
      if (part === 'fallback' && method === 'PATCH') {
        const { routes, enabled, recheck_after_attempts: attempts } = body
        if (!Array.isArray(routes) || routes.length > 3) throw new DaemonError(400, 'routes: a list of at most 3')
        if (attempts !== undefined && !(Number.isInteger(attempts) && (attempts as number) >= 1))
          throw new DaemonError(400, 'recheck_after_attempts must be at least 1')
        const plain = routes.map((one: Body) => ({
          provider: one['provider'],
          model: one['model'],
          api_key_env: one['api_key_env'] ?? '',
        }))
        Object.assign(fallback, {
          routes: plain,
          enabled: enabled !== false && plain.length > 0,
          recheck_after_attempts: attempts ?? fallback.recheck_after_attempts,
        })
        return [200, { ...fallback, persisted_path: keptAt(body['persist_global'] === true) }]
      }
      if (part === 'theme' && method === 'PATCH') {
        const theme = textOf(body, 'theme')
        if (!theme) throw new DaemonError(400, 'unknown theme')
        return [
          200,
          { theme, label: theme.replaceAll('-', ' '), persisted_path: keptAt(body['persist_global'] !== false) },
        ]
      }
      throw new DaemonError(404, 'not found')
    },
  }
}
