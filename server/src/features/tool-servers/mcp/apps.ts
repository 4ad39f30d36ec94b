/**
 * MCP Apps (SEP-1865): a tool may name a page that shows its results, where server and client both declare the extension.
 * The page is kept with the result; what it may do is decided where it is shown.
 */
import type { Client } from '@modelcontextprotocol/client'
import { appMediaType } from '@atrium/contract/generation'
import type { ToolMedia } from '../../../core/tools/index.ts'
import { isPlain } from './plain.ts'

export const appExtension = 'io.modelcontextprotocol/ui'
export const appSupport = { mimeTypes: [appMediaType] }

/** What a kind keeps of a tool with a page, as part of its digest. */
export interface AppOfTool {
  readonly app: string
  /** It is for the page alone: no model is told of it. */
  readonly isForAppAlone: boolean
}

/** null: the tool has no page, or the server did not declare that it has any. */
export const appOf = (client: Pick<Client, 'getServerCapabilities'>, meta: unknown): AppOfTool | null => {
  const { extensions } = (client.getServerCapabilities() ?? {}) as { extensions?: Record<string, unknown> }
  const { ui } = isRecord(meta) ? meta : {}
  if (!extensions || !(appExtension in extensions) || !isRecord(ui)) return null
  const { resourceUri: app, visibility } = ui
  if (typeof app !== 'string' || !app.startsWith('ui://') || !isPlain(app)) return null
  return { app, isForAppAlone: Array.isArray(visibility) && !visibility.includes('model') }
}

export const readAppOf = (call: unknown): string | null =>
  isRecord(call) && typeof call['app'] === 'string' ? call['app'] : null

export const isForAppAlone = (call: unknown): boolean => isRecord(call) && call['isForAppAlone'] === true

/** The page of a tool; null: the server gives none of this type. */
export const readApp = async (
  client: Pick<Client, 'readResource'>,
  uri: string,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<ToolMedia | null> => {
  const { contents } = await client.readResource({ uri }, options)
  const page = contents.find(({ mimeType = '' }) => mimeType.replaceAll(' ', '').toLowerCase() === appMediaType)
  if (!page) return null
  const bytes =
    'text' in page && typeof page.text === 'string'
      ? Buffer.from(page.text)
      : Buffer.from('blob' in page && typeof page.blob === 'string' ? page.blob : '', 'base64')
  return { mediaType: appMediaType, bytes, name: 'app.html' }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
