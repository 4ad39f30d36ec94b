/** The earlier routes of pictures alone, in their own names, over the same gallery and the same jobs. */
import type { ImageGenItem, imageGenRoutes, MediaItem } from '@atrium/contract/media-gallery'
import { toListedModel, toListedPlugins } from '../../../core/connections/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { announceItem } from '../context.ts'
import { findLive, toItems } from '../handlers.ts'
import { contentPath } from '../rules.ts'
import type { MediaItemRow } from '../tables.ts'
import type { MediaJobContext } from './context.ts'
import { requireModel } from './models.ts'
import { makePictures, noEdit } from './pictures.ts'

export const imageGenHandlers = (context: MediaJobContext): Handlers<typeof imageGenRoutes> => {
  const { clock, files, items, store } = context
  const modelsOf = (accountId: string) => context.connections.capabilityModels(accountId, 'image')
  /** Connections with the models that make pictures. */
  const pluginsOf = async (accountId: string) => toListedPlugins(await modelsOf(accountId))
  const findPicture = async (accountId: string, id: string): Promise<MediaItemRow> => {
    const row = await findLive(context, accountId, id)
    if (row.kind !== 'image') throw fail('media_not_found')
    return row
  }

  return {
    imageModels: async (_input, { caller }) => ({ models: (await modelsOf(caller.accountId)).map(toListedModel) }),

    imagePlugins: (_input, { caller }) => pluginsOf(caller.accountId),

    async imageConfig({ params }, { caller }) {
      const plugin = (await pluginsOf(caller.accountId)).find(({ id }) => id === params.pluginId)
      if (!plugin) throw fail('model_not_found')
      return plugin.config
    },

    async imageGenerate({ body: { response_format = 'url', ...wish } }, request) {
      const { accountId } = request.caller
      const usable = await requireModel(context, accountId, 'image', wish)
      const made = await makePictures(usable, context, request, wish, noEdit)
      const images = await Promise.all(
        made.items.map(async ({ id, mimeType, metadata }) => {
          const revised = metadata['revisedPrompt']
          return {
            ...(response_format === 'url' ? { url: contentPath(id) } : { b64_json: await inBase64(accountId, id) }),
            mime_type: mimeType,
            ...(typeof revised === 'string' ? { revised_prompt: revised } : {}),
          }
        }),
      )
      return { images, model: wish.model, pluginId: wish.pluginId, savedToGallery: made.items.map(({ id }) => id) }
    },

    async imageGallery({ query: { limit, offset } }, { caller: { accountId } }) {
      const { rows, total } = await store.pictures(accountId, limit, offset)
      const found = await toItems(context, accountId, rows)
      return { images: found.map((item) => toImage(accountId, item)), total }
    },

    async imageRead({ params }, { resource: { ownerId: accountId } }) {
      const [item] = await toItems(context, accountId, [await findPicture(accountId, params.imageId)])
      if (!item) throw fail('media_not_found')
      return toImage(accountId, item)
    },

    async imageRemove({ params }, { resource: { ownerId: accountId } }) {
      const { id } = await findPicture(accountId, params.imageId)
      if ((await items.setDeleted(accountId, [id], clock.now())).length === 0) throw fail('media_not_found')
      await announceItem(context, accountId, id)
      return {}
    },
  }

  async function inBase64(accountId: string, id: string): Promise<string> {
    const bytes = await files.read(accountId, (await findPicture(accountId, id)).file_id)
    if (!bytes) throw fail('media_not_found')
    return Buffer.from(bytes).toString('base64')
  }
}

const toImage = (accountId: string, item: MediaItem): ImageGenItem => {
  const { size, quality } = item.options
  return {
    id: item.id,
    userId: accountId,
    kind: 'image',
    prompt: item.prompt,
    model: item.model,
    pluginId: item.pluginId,
    imageData: item.mediaData,
    mimeType: item.mimeType,
    ...(typeof size === 'string' ? { size } : {}),
    ...(typeof quality === 'string' ? { quality } : {}),
    metadata: item.metadata,
    createdAt: Date.parse(item.createdAt),
  }
}
