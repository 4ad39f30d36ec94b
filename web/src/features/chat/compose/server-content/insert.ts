/** Puts what a tool server gives into the draft: files as attachments, words of prompts into the box. Nothing is sent. */
import { type ServerFile, type ServerPromptMessage, toolContentRoutes } from '@atrium/contract/tool-servers'
import { call } from '../../../../api/client.ts'
import type { DraftBox } from '../../../../blocks/composer/draft.ts'
import { titleToFileName } from '../../../../lib/file-name.ts'
import { translate } from 'virtual:words/chat-compose-server-content'

type Where = { readonly uri: string } | { readonly template: string; readonly values: Record<string, string> }

/** Attaches what a resource holds under this name; its chip shows how far it is. */
export function attachResource(draft: DraftBox, serverId: string, name: string, where: Where): void {
  draft.attachLater(name, async (signal) => {
    const body = 'uri' in where ? { uri: where.uri } : where
    const { items } = await call(toolContentRoutes.readServerResource, { params: { id: serverId }, body }, { signal })
    return items.map((item, index) => toFile(item, index === 0 ? name : item.name))
  })
}

/** Writes what a prompt says behind what is typed already. */
export async function writePrompt(
  draft: DraftBox,
  serverId: string,
  name: string,
  values: Record<string, string>,
): Promise<void> {
  const body = { name, arguments: values }
  const { messages } = await call(toolContentRoutes.readServerPrompt, { params: { id: serverId }, body })
  const { content } = draft.store.getState()
  const words = wordsOf(messages)
  if (words !== '') draft.type([content.trimEnd(), words].filter(Boolean).join('\n\n'))
  const files = messages.flatMap((message) => message.files.map((file) => toFile(file, file.name)))
  if (files.length > 0) draft.attach(files)
}

/** Where the prompt is a conversation, who says what. */
function wordsOf(messages: readonly ServerPromptMessage[]): string {
  const said = messages.filter(({ text }) => text !== '')
  const isConversation = said.some(({ role }) => role === 'assistant')
  return said
    .map(({ role, text }) => (isConversation ? translate(`chat-compose-server-content:said.${role}`, { text }) : text))
    .join('\n\n')
}

function toFile({ name: given, mediaType, text, base64 }: ServerFile, title: string): File {
  const [ending = ''] = /\.[a-z0-9]{1,8}$/i.exec(given) ?? []
  const plain = titleToFileName(title, 'resource')
  const name = plain.toLowerCase().endsWith(ending.toLowerCase()) ? plain : `${plain}${ending}`
  // Text is text, whatever it draws.
  if (text !== null) return new File([text], name, { type: mediaType.startsWith('text/') ? mediaType : 'text/plain' })
  const bytes = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0))
  const isText = mediaType.startsWith('text/')
  return new File([bytes], name, { type: isText ? 'text/plain' : mediaType })
}
