/** What models may do with media: have a picture made. */
import { mostPromptLetters } from '@atrium/contract/media-gallery'
import { z } from 'zod'
import { idOfCall } from '../../../platform/areas/call-id.ts'
import {
  type Tool,
  type ToolContext,
  type ToolMedia,
  type ToolOutput,
  defineTool,
} from '../../../platform/areas/tool.ts'
import { callerOf } from '../../../platform/http/on-behalf.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import type { MediaJobContext } from './context.ts'
import { stopJob } from './in-chat.ts'
import { requireModel } from './models.ts'
import type { Config } from './options.ts'
import { makePictures, noEdit } from './pictures.ts'
import { usualFields } from './usual.ts'

const shapes = ['square', 'landscape', 'portrait'] as const
type Shape = (typeof shapes)[number]

const makingMs = 180_000

export const makingTools = (context: MediaJobContext): Tool[] => [
  defineTool({
    name: 'make_image',
    description:
      'Makes a picture from a description, with the image model of the user. It is shown in the chat and kept in the user’s gallery. It may cost money: make one only when the user asks for a picture.',
    arguments: z.strictObject({
      prompt: z
        .string()
        .trim()
        .min(1)
        .max(Math.min(8000, mostPromptLetters))
        .describe('What the picture shows, and how'),
      shape: z.enum(shapes).optional().describe('Where the model has a choice'),
    }),
    sideEffect: true,
    readsPrivateData: false,
    readsForeignText: false,
    sendsData: true,
    timeoutMs: makingMs,
    isAvailable: async (accountId) => (await chooseModel(context, accountId)) !== null,
    async run(args, call) {
      try {
        return await makePicture(context, args, call)
      } catch (error) {
        if (!isRefusal(error) || error.code !== 'validation_failed') throw error
        const [issue] = error.issues ?? []
        return { text: `The picture cannot be made: ${issue?.message ?? error.message}.`, isError: true }
      }
    },
  }),
]

interface Wish {
  readonly prompt: string
  readonly shape?: Shape | undefined
}

const makePicture = async (
  context: MediaJobContext,
  { prompt, shape }: Wish,
  call: ToolContext,
): Promise<ToolOutput> => {
  const { accountId, chatId, signal } = call
  const chosen = await chooseModel(context, accountId)
  if (!chosen) throw fail('model_unavailable', 'No connected model makes images.')
  const { options, ...named } = chosen
  const painter = await requireModel(context, accountId, 'image', named)
  const size = shape === undefined ? undefined : sizeOf(painter.config, shape)
  const wish = { ...usualFields('image', options, painter.config), ...(size && { size }), ...named, prompt }
  let jobId: string | null = null
  const begun = async (id: string): Promise<void> => {
    jobId = id
    // Stopped before there was a job to stop: nobody is asked, and nobody paid.
    if (signal.aborted) throw fail('media_stopped')
  }
  const stop = (): void => {
    stopJob(context, accountId, jobId).catch((error: unknown) =>
      context.log.warn('A picture that a tool makes could not be stopped.', { error }),
    )
  }
  // The same call again gets what the first one made, or its failure; nobody is paid twice.
  const key = idOfCall(call)
  const request = {
    caller: callerOf(accountId),
    header: (name: string) => (name === 'idempotency-key' ? key : null),
    signal,
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const made = await makePictures(painter, context, request, wish, noEdit, { chatId, begun, drawn: () => undefined })
    return await resultOf(context, accountId, made.jobId)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** What the account set as usual, while it may use that; else the first model that makes images. */
const chooseModel = async (
  context: MediaJobContext,
  accountId: string,
): Promise<{ model: string; pluginId: string; options: Readonly<Record<string, string>> } | null> => {
  const [models, usual] = await Promise.all([
    context.connections.capabilityModels(accountId, 'image'),
    context.usualImage(accountId),
  ])
  const set = usual && models.find(({ model, providerId }) => model === usual.model && providerId === usual.providerId)
  const model = set ?? models[0]
  if (!model) return null
  return { model: model.model, pluginId: model.providerId, options: set ? (usual?.options ?? {}) : {} }
}

const resultOf = async (context: MediaJobContext, accountId: string, jobId: string): Promise<ToolOutput> => {
  const rows = (await context.store.madeBy([jobId])).get(jobId) ?? []
  const media: ToolMedia[] = []
  for (const { id, file_id, mime_type } of rows) {
    const bytes = await context.files.read(accountId, file_id)
    if (bytes) media.push({ mediaType: mime_type, bytes, name: id })
  }
  if (media.length === 0)
    return { text: 'The model made no picture: it was withheld, or has been deleted since.', isError: true }
  return {
    text: 'The picture is made. The user sees it, and has it in the gallery.',
    media,
    links: rows.map(({ id }) => ({ kind: 'media', id, title: 'Gallery' })),
  }
}

/** The first size of a shape that a model lists. */
const sizeOf = (config: Config, shape: Shape): string | undefined => {
  const listed = Array.isArray(config['sizes']) ? config['sizes'].map(String) : []
  return listed.find((size) => {
    const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? []
    if (width === undefined || height === undefined) return false
    return shape === (width === height ? 'square' : Number(width) > Number(height) ? 'landscape' : 'portrait')
  })
}
