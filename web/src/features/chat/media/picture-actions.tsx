import type { Attachment, Message } from '@atrium/contract/chat'
import type { MediaModel } from '@atrium/contract/media-gallery'
import { useQuery } from '@tanstack/react-query'
import { Copy, CornerDownLeft, WandSparkles } from 'lucide-react'
import { useMe } from '../../../api/account.ts'
import { mediaModelKey, sourcesOf } from '../../../blocks/media-models.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/chat-media'
import { askQuestion } from '../open/ask.ts'
import { draftOfChat } from '../open/draft-chat.ts'
import { useOpen } from '../open/store.ts'
import { useThread } from '../thread/context.ts'
import { mediaModelsQuery, setMakeMode } from './make-mode.ts'

/** What can be done with a picture of an answer that stands: changed, made anew, and put into the next message. */
export function PictureActions({ message, attachment }: { message: Message; attachment: Attachment }) {
  const t = useText('chat-media')
  const me = useMe()
  const { chat, attempt, focusComposer } = useThread()
  const { data } = useQuery(mediaModelsQuery)
  const conversation = useOpen(chat, (state) => state.conversation)
  const isKept = conversation?.head.expiresAt === null
  const models = isKept ? (data?.image ?? []) : []
  const own = models.find((model) => message.making && mediaModelKey(model) === mediaModelKey(message.making))
  const editor = own && worksFromPictures(own) ? own : models.find(worksFromPictures)
  const maker = own ?? editor ?? models[0]
  const prompt = conversation?.messages.find(({ id }) => id === message.parentId)?.content.trim() ?? ''

  const insert = () => {
    const draft = draftOfChat(me.id, chat)
    const isThere = draft.store.getState().chips.some((chip) => chip.attachment?.id === attachment.id)
    if (!isThere) draft.putBack({ content: '', attachments: [attachment] })
    focusComposer()
  }
  const edit = () => {
    if (editor) setMakeMode(chat.id, { kind: 'image', model: mediaModelKey(editor) })
    insert()
  }
  const more = () => {
    if (!maker) return
    const { model, pluginId } = maker
    const attachments = worksFromPictures(maker) ? [attachment] : []
    const options = maker === own ? message.making?.options : undefined
    const make = { kind: 'image', model, pluginId, ...(options ? { options } : {}) } as const
    attempt(() => askQuestion(chat, { content: prompt, attachments, make }))
  }
  return (
    <div className="mt-1 flex gap-1">
      {editor && <IconButton label={t('edit')} icon={<WandSparkles />} size="small" onClick={edit} />}
      {maker && prompt !== '' && !conversation?.live && (
        <IconButton label={t('more')} icon={<Copy />} size="small" onClick={more} />
      )}
      <IconButton label={t('use')} icon={<CornerDownLeft />} size="small" onClick={insert} />
    </div>
  )
}

const worksFromPictures = (model: MediaModel): boolean => sourcesOf(model) > 0
