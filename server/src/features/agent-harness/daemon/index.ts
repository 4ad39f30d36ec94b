/** The daemon as the bridge uses it: a closed list of what it is asked. All of it throws DaemonFailure. */
import type { HarnessDecision } from '@atrium/contract/agent-harness'
import type { AskDaemon } from './ask.ts'
import * as answers from './answers.ts'

export interface NewRun {
  readonly message: string
  readonly kind: 'chat' | 'goal'
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly session?: string | undefined
  readonly attachments?:
    | readonly { readonly mediaType: string; readonly data: string; readonly fileName?: string | undefined }[]
    | undefined
}

export interface AutomationFields {
  readonly name?: string | undefined
  readonly prompt?: string | undefined
  readonly schedule?: string | undefined
  readonly route?: string | undefined
  readonly status?: string | undefined
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly telegramChatId?: string | null | undefined
}

export interface FallbackFields {
  readonly routes: readonly { readonly provider: string; readonly model: string; readonly apiKeyEnv: string | null }[]
  readonly enabled?: boolean | undefined
  readonly recheckAfterAttempts?: number | undefined
  readonly persistGlobal?: boolean | undefined
}

export type Daemon = ReturnType<typeof createDaemon>

/** The log of a long run, with what its tools gave back. */
const largestEvents = 32 * 1024 * 1024

export const createDaemon = (ask: AskDaemon) => {
  const automation = (id: string, ...rest: string[]) => ['automations', id, ...rest]
  const run = (id: string, ...rest: string[]) => ['runs', id, ...rest]
  return {
    health: async (signal: AbortSignal) => answers.readHealth(await ask({ method: 'GET', path: ['health'], signal })),
    model: async (signal: AbortSignal) =>
      answers.readModel(await ask({ method: 'GET', path: ['config', 'model'], signal })),
    setModel: async (change: { provider: string; model: string; persistGlobal: boolean }) =>
      answers.readModelChange(
        await ask({
          method: 'PATCH',
          path: ['config', 'model'],
          body: { provider: change.provider, model: change.model, persist_global: change.persistGlobal },
        }),
      ),
    fallback: async (signal: AbortSignal) =>
      answers.readFallback(await ask({ method: 'GET', path: ['config', 'fallback'], signal })),
    setFallback: async ({ routes, enabled, recheckAfterAttempts, persistGlobal }: FallbackFields) =>
      answers.readFallbackChange(
        await ask({
          method: 'PATCH',
          path: ['config', 'fallback'],
          body: {
            routes: routes.map(({ provider, model, apiKeyEnv }) => ({
              provider,
              model,
              api_key_env: apiKeyEnv ?? undefined,
            })),
            enabled,
            recheck_after_attempts: recheckAfterAttempts,
            persist_global: persistGlobal,
          },
        }),
      ),
    setTheme: async (theme: string, persistGlobal: boolean) =>
      answers.readTheme(
        await ask({ method: 'PATCH', path: ['config', 'theme'], body: { theme, persist_global: persistGlobal } }),
      ),
    runs: async (limit: number, signal: AbortSignal) =>
      answers.readRuns(await ask({ method: 'GET', path: ['runs'], query: { limit }, signal })),
    startRun: async ({ attachments, ...fields }: NewRun) =>
      answers.readStartedRun(
        await ask({
          method: 'POST',
          path: ['runs'],
          body: {
            ...fields,
            surface: 'atrium',
            attachments: attachments?.map(({ mediaType, data, fileName }) => ({
              media_type: mediaType,
              data,
              filename: fileName,
            })),
          },
        }),
      ),
    run: async (id: string, signal: AbortSignal) =>
      answers.readRunDetails(await ask({ method: 'GET', path: run(id), signal })),
    /** Without the parameter for all of them: the daemon takes 0 for 1, and the first event would be lost. */
    events: async (id: string, after: number, signal: AbortSignal, most = Infinity) =>
      await answers.readRunEvents(
        await ask({
          method: 'GET',
          path: run(id, 'events'),
          query: { after: after > 0 ? after : undefined },
          signal,
          maxBytes: largestEvents,
        }),
        after,
        most,
      ),
    cancel: async (id: string) => answers.readCancellation(await ask({ method: 'POST', path: run(id, 'cancel') })),
    decide: async (id: string, toolCallId: string, decision: HarnessDecision) =>
      await ask({ method: 'POST', path: run(id, 'permissions', toolCallId), body: { resolution: decision } }),
    usage: async (limit: number, provider: string | undefined, signal: AbortSignal) =>
      answers.readUsage(await ask({ method: 'GET', path: ['usage'], query: { limit, provider }, signal })),
    automations: async (limit: number, signal: AbortSignal) =>
      answers.readAutomations(await ask({ method: 'GET', path: ['automations'], query: { limit }, signal })),
    createAutomation: async (fields: AutomationFields) =>
      answers.readAutomation(await ask({ method: 'POST', path: ['automations'], body: writeAutomation(fields) })),
    automation: async (id: string, signal: AbortSignal) =>
      answers.readAutomation(await ask({ method: 'GET', path: automation(id), signal })),
    updateAutomation: async (id: string, fields: AutomationFields) =>
      answers.readAutomation(await ask({ method: 'PATCH', path: automation(id), body: writeAutomation(fields) })),
    removeAutomation: async (id: string) => await ask({ method: 'DELETE', path: automation(id) }),
    pauseAutomation: async (id: string) =>
      answers.readAutomation(await ask({ method: 'POST', path: automation(id, 'pause') })),
    resumeAutomation: async (id: string) =>
      answers.readAutomation(await ask({ method: 'POST', path: automation(id, 'resume') })),
    runAutomation: async (id: string) =>
      answers.readAutomationRun(await ask({ method: 'POST', path: automation(id, 'run') })),
  }
}

const writeAutomation = ({ telegramChatId, ...fields }: AutomationFields) => ({
  ...fields,
  telegram_chat_id: telegramChatId,
})
