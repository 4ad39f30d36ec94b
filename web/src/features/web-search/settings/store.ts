/** The configuration on the page: read once, replaced by what the server answers. */
import type { GivenBody } from '@atrium/contract/route'
import { type JsonEngine, webSearchRoutes } from '@atrium/contract/web-search'
import { call } from '../../../api/client.ts'
import { saveInTurn } from '../../../api/saves.ts'

export type WebSearchChange = GivenBody<typeof webSearchRoutes.updateConfig>

export const saveConfig = async (body: WebSearchChange): Promise<void> =>
  void (await saveInTurn(webSearchRoutes.config, () => call(webSearchRoutes.updateConfig, { body })))

/** The form of an engine of one's own is sent whole: with what was saved of it last. */
export const saveForm = async (change: Partial<JsonEngine>, shown: JsonEngine): Promise<void> =>
  void (await saveInTurn(webSearchRoutes.config, (latest) =>
    call(webSearchRoutes.updateConfig, { body: { json: { ...shown, ...latest?.json, ...change } } }),
  ))
