/**
 * `/v1`: the models of an account for the client libraries of other makers, in the shapes that these know. It keeps
 * nothing of what is asked and answered (but for answers under an idempotency key, sealed, for a day), adds nothing to
 * it, and never asks another model than the one that was named.
 */
import { createHash } from 'node:crypto'
import { type ApiModel, publicApiRoutes } from '@atrium/contract/public-api'
import { type Caller, type Context, bindRoutes, type RelayAnswer } from '../../platform/http/area.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import type { Platform } from '../../platform/platform.ts'
import { chatCompletionsShape } from './shapes/chat-completions.ts'
import { completionsShape } from './shapes/completions.ts'
import { createIdempotency } from './idempotency.ts'
import { createImageEdit, type ImageEdit, readImageEdit, readImageVariation } from './image-edits.ts'
import { createImage, createEmbedding, createSpeech } from './media.ts'
import { createTranscription, readTranscription, readTranslation, type TranscriptionRequest } from './transcriptions.ts'
import { messagesShape } from './shapes/messages.ts'
import { createApiModels, type ModelsDeps } from './models.ts'
import { createOtherModels, type OtherModelsDeps } from './capability-models.ts'
import { responsesShape } from './shapes/responses.ts'
import { type AskedBody, countTokens, serveCompletion } from './serve.ts'
import type { ApiShape } from './shapes/shape.ts'
import { createAnswerStore } from './store.ts'
import { publicApiMigrations } from './tables.ts'

export { publicApiMigrations, publicApiSealed } from './tables.ts'

export interface PublicApiDeps extends ModelsDeps, OtherModelsDeps, Pick<Platform, 'clock' | 'database' | 'vault'> {
  readonly elsewhere: Pick<Outbound, 'check' | 'request'>
}

export const createPublicApi = (deps: PublicApiDeps) => {
  const models = createApiModels(deps)
  const once = createIdempotency({ ...deps, kept: createAnswerStore(deps) })
  const others = createOtherModels(deps)
  const parts = { ...deps, models, others }
  const list = async (caller: Caller): Promise<ApiModel[]> => {
    const [chat, other] = await Promise.all([models.list(caller), others.list(caller)])
    const known = new Set(chat.map(({ id }) => id))
    return [...chat, ...other.filter(({ id }) => !known.has(id))]
  }

  /** A route that answers in one shape. */
  const answering =
    <Body extends AskedBody>(shape: ApiShape<Body>) =>
    ({ body }: { readonly body: Body }, context: Context): Promise<RelayAnswer> =>
      body.stream === true
        ? serveCompletion(shape, body, context, parts)
        : once(context, shape.name, kept(shape, body, context), () => serveCompletion(shape, body, context, parts))

  const redraw = async (route: string, edit: ImageEdit, context: Context<Caller>): Promise<RelayAnswer> => {
    const make = () => createImageEdit(edit, context, parts)
    if (edit.fields.stream === 'true') return await make()
    const digests = [...edit.sources, edit.mask].map(
      (picture) => picture && createHash('sha256').update(picture.bytes).digest('hex'),
    )
    return await once(context, route, { ...edit.fields, digests }, make)
  }

  const writeDown = async (wanted: TranscriptionRequest, context: Context<Caller>): Promise<RelayAnswer> => {
    const make = () => createTranscription(wanted, context, parts)
    if (wanted.stream === 'true') return await make()
    const { audio, ...fields } = wanted
    const digest = createHash('sha256').update(audio.bytes).digest('hex')
    return await once(context, 'transcriptions', { ...fields, digest }, make)
  }

  const area = bindRoutes({
    name: 'public-api',
    routes: publicApiRoutes,
    handlers: {
      async models(_input, { caller, header }) {
        const data = await list(caller)
        return answer(header('anthropic-version') ? sayForeignList(data) : { object: 'list', data })
      },
      async model({ params: { model: id } }, { caller, header }) {
        const model = (await list(caller)).find((listed) => listed.id === id) ?? (await models.describe(caller, id))
        return answer(header('anthropic-version') ? sayForeign(model) : model)
      },
      chatCompletions: answering(chatCompletionsShape),
      completions: answering(completionsShape),
      responses: answering(responsesShape),
      messages: answering(messagesShape),
      async responseTokens({ body }, context) {
        return answer({
          object: 'response.input_tokens',
          input_tokens: await countTokens(responsesShape, body, context, parts),
        })
      },
      async messageTokens({ body }, context) {
        // The answer's limit is no part of what is counted.
        return answer({ input_tokens: await countTokens(messagesShape, { ...body, max_tokens: 1 }, context, parts) })
      },
      embeddings: ({ body }, context) => once(context, 'embeddings', body, () => createEmbedding(body, context, parts)),
      images: ({ body }, context) =>
        body.stream === true
          ? createImage(body, context, parts)
          : once(context, 'images', body, () => createImage(body, context, parts)),
      imageEdits: async ({ file }, context) => await redraw('image-edits', await readImageEdit(file), context),
      imageVariations: async ({ file }, context) =>
        await redraw('image-variations', await readImageVariation(file), context),
      speech: ({ body }, context) => createSpeech(body, context, parts),
      transcriptions: async ({ file }, context) => await writeDown(await readTranscription(file), context),
      translations: async ({ file }, context) => await writeDown(await readTranslation(file), context),
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

/** All that a request says, headers too: another one is another request. */
const kept = <Body extends AskedBody>(shape: ApiShape<Body>, body: Body, { header }: Context): unknown => {
  const headers = shape.relayHeaders?.(header) ?? {}
  return Object.keys(headers).length === 0 ? body : { body, headers }
}

/** A model as clients of the messages family know it, who say by a header that they are such. */
const sayForeign = ({ id, created }: ApiModel) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: new Date(created * 1000).toISOString(),
})

const sayForeignList = (models: readonly ApiModel[]) => ({
  data: models.map(sayForeign),
  has_more: false,
  first_id: models[0]?.id ?? null,
  last_id: models.at(-1)?.id ?? null,
})
