/**
 * `/v1`: the models of an account for the client libraries of other makers, in the shapes that these know. It keeps
 * nothing of what is asked and answered (but for answers under an idempotency key, sealed, for a day), adds nothing to
 * it, and never asks another model than the one that was named.
 */
import { publicApi } from '@atrium/contract/public-api'
import type { Clock } from '../../platform/clock.ts'
import { type Area, defineArea } from '../../platform/http/area.ts'
import { chatCompletions } from './chat-completions.ts'
import { completions } from './completions.ts'
import { messages } from './messages.ts'
import { createApiModels, type ModelsDeps } from './models.ts'
import { responses } from './responses.ts'
import { serve } from './serve.ts'

export interface PublicApiDeps extends ModelsDeps {
  readonly clock: Clock
}

export const createPublicApi = (deps: PublicApiDeps) => {
  const models = createApiModels(deps)
  const parts = { ...deps, models }

  const area: Area = defineArea({
    name: 'public-api',
    routes: publicApi,
    handlers: {
      models: async (_input, { caller }) => answer({ object: 'list', data: await models.list(caller) }),
      model: async ({ params }, { caller }) => answer(await models.describe(caller, params.model)),
      chatCompletions: ({ body }, context) => serve(chatCompletions, body, context, parts),
      completions: ({ body }, context) => serve(completions, body, context, parts),
      responses: ({ body }, context) => serve(responses, body, context, parts),
      messages: ({ body }, context) => serve(messages, body, context, parts),
    },
  })

  return {
    area,
    /** To be called when something about the models of an account changed; null: of every account. */
    forget: models.forget,
  }
}

const answer = (body: unknown) => ({ mediaType: 'application/json; charset=utf-8', body: JSON.stringify(body) })
