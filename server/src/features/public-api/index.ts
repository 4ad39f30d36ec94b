/**
 * `/v1`: the models of an account for the client libraries of other makers, in the shapes that these know. It keeps
 * nothing of what is asked and answered (but for answers under an idempotency key, sealed, for a day), adds nothing to
 * it, and never asks another model than the one that was named.
 */
import { publicApi } from '@atrium/contract/public-api'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import { type Area, type Context, defineArea, type RelayAnswer } from '../../platform/http/area.ts'
import type { Vault } from '../../platform/vault/types.ts'
import { chatCompletions } from './chat-completions.ts'
import { completions } from './completions.ts'
import { createOnce } from './idempotency.ts'
import { messages } from './messages.ts'
import { createApiModels, type ModelsDeps } from './models.ts'
import { responses } from './responses.ts'
import { type AskedBody, serve } from './serve.ts'
import type { Shape } from './shape.ts'
import { createKeptAnswers } from './store.ts'
import { publicApiMigrations } from './tables.ts'

export { publicApiMigrations } from './tables.ts'

export interface PublicApiDeps extends ModelsDeps {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
}

export const createPublicApi = (deps: PublicApiDeps) => {
  const models = createApiModels(deps)
  const once = createOnce({ ...deps, kept: createKeptAnswers(deps) })
  const parts = { ...deps, models }

  /** A route that answers in one shape. */
  const answering =
    <Body extends AskedBody>(shape: Shape<Body>) =>
    ({ body }: { readonly body: Body }, context: Context): Promise<RelayAnswer> =>
      body.stream === true
        ? serve(shape, body, context, parts)
        : once(context, shape.name, body, () => serve(shape, body, context, parts))

  const area: Area = defineArea({
    name: 'public-api',
    routes: publicApi,
    handlers: {
      models: async (_input, { caller }) => answer({ object: 'list', data: await models.list(caller) }),
      model: async ({ params }, { caller }) => answer(await models.describe(caller, params.model)),
      chatCompletions: answering(chatCompletions),
      completions: answering(completions),
      responses: answering(responses),
      messages: answering(messages),
    },
    migrations: publicApiMigrations,
  })

  return {
    area,
    /** To be called when something about the models of an account changed; null: of every account. */
    forget: models.forget,
  }
}

const answer = (body: unknown): RelayAnswer => ({
  mediaType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})
