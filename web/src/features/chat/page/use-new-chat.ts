import { chatRoutes as routes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import type { ModelList } from '@atrium/contract/connections'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useMe, usePreferences } from '../../../api/account.ts'
import { queryClient, queryOf } from '../../../api/query.ts'
import { type DraftBox, draftOf } from '../../../blocks/composer/draft.ts'
import { modelsQuery } from '../../../blocks/models.ts'
import type { TalkingChat } from '../../../blocks/voice-mode/state.ts'
import { links } from '../../../lib/links.ts'
import { consumeWebMode, setWebMode, useWebMode } from '../compose/web-mode.ts'
import { knownMediaModels, restoreMaking, takeMaking } from '../media/make-mode.ts'
import { handOverMadeWith } from '../media/make-options.ts'
import { foldersQuery, putChat, summaryOf } from '../list/cache.ts'
import { modelOfProject } from '../list/tree.ts'
import type { QuestionInput } from '../open/ask.ts'
import { beginChat } from '../open/begin.ts'
import type { Conversation } from '../open/conversation.ts'
import { adoptDraftChat, draftChat, draftOfChat, useDraftChat } from '../open/draft-chat.ts'
import { ensureCreated, type OpenChat, useOpen } from '../open/store.ts'
import { talkWith } from '../open/talk.ts'
import { useText } from 'virtual:words/chat-compose'

export interface NewChat {
  readonly chat: OpenChat
  readonly conversation: Conversation | null
  readonly draft: DraftBox
  /** What was typed in another browser is in the box, or cannot be had. What is added before would replace it. */
  readonly isDraftKnown: boolean
  readonly models: ModelList | undefined
  /** The model that will be asked. */
  readonly selection: Selection | null
  /** Why the last try was refused; null when it was not. */
  readonly refusal: unknown
  /** Asks what is in the box, and goes to the chat. */
  send(): Promise<void>
  /** The chat, for whoever talks with it. */
  talk(): TalkingChat
}

/** The chat that the next question begins: its draft, its model, and how it is sent. */
export function useNewChat(folderId: string | null, temporary: boolean): NewChat {
  const t = useText('chat-compose')
  const me = useMe()
  const preferences = usePreferences()
  const navigate = useNavigate()
  // Asked for at once: who has no model is told so in the place of all else.
  const models = useQuery(modelsQuery).data
  const storedDraft = useQuery({ ...queryOf(routes.newDraft), staleTime: 0 })
  const stored = storedDraft.data
  const draft = draftOf(me.id, null)
  const chat = useDraftChat()
  const conversation = useOpen(chat, (state) => state.conversation)
  const [refusal, setRefusal] = useState<unknown>(null)
  const webMode = useWebMode('new')
  const sending = useRef(false)

  useEffect(() => draft.seed(stored ?? null), [draft, stored])
  useEffect(() => {
    draft.chatForDocuments = async () => {
      const home = draftChat()
      await ensureCreated(home)
      return home.id
    }
  }, [draft])
  const sessionId = stored?.sessionId
  useEffect(() => {
    if (sessionId === undefined) return
    adoptDraftChat(sessionId).then(
      (documents) => documents && draft.showDocuments(draftChat().id, documents),
      // What waits there could not be read; a new one begins.
      () => undefined,
    )
  }, [sessionId, draft])
  // The page was left for the chat and came back with the reason.
  useEffect(() => {
    if (failures.last) setRefusal(failures.last)
    failures.last = null
  }, [])

  const chosen = conversation?.head.selection ?? null
  const ofProject = modelOfProject(useQuery(foldersQuery).data?.items ?? [], folderId)
  const fallback = (list: ModelList | undefined) =>
    chosen ?? ofProject ?? preferences.defaultModel ?? list?.fallback?.selection ?? null

  async function send() {
    if (sending.current) return
    sending.current = true
    setRefusal(null)
    // Whoever is faster than the catalogue waits for it with the text in the box: without a model nothing can be asked.
    const list = models ?? (await queryClient.ensureQueryData(modelsQuery).catch(() => undefined))
    const drafted = draft.take()
    const input = { ...drafted, ...takeMaking('new', temporary ? undefined : knownMediaModels(), drafted) }
    try {
      await begin(input, fallback(list))
    } catch (error) {
      draft.putBack({ ...input, attachments: restoreMaking('new', input) })
      setRefusal(error)
      failures.last = error
      goBack()
    } finally {
      sending.current = false
    }
  }

  /** Goes to the chat that this question begins. Where it is refused, whoever asked goes back. */
  async function begin(question: QuestionInput, selection: Selection | null) {
    const input = { ...question, webSearch: question.make ? undefined : await consumeWebMode('new') }
    const title = input.content.trim().split('\n')[0]?.slice(0, 60) || t('new.untitled')
    const done = beginChat(chat, { ...input, selection, folderId, temporary, title })
    draft.handOverSent(draftOfChat(me.id, chat))
    handOverMadeWith(chat.id)
    if (webMode === 'on') {
      // What was chosen for the chat goes on in it; the next one begins without.
      setWebMode(chat.id, webMode)
      setWebMode('new', 'off')
    }
    void navigate({ to: links.chat(chat.id) })
    await done
    const head = chat.store.getState().conversation?.head
    if (head) putChat(summaryOf(head))
  }
  const goBack = () => void navigate({ to: links.newChat({ folder: folderId ?? undefined, temporary }) })

  const talk = () =>
    talkWith(
      chat,
      () => draftOfChat(me.id, chat),
      (question) =>
        begin(question, fallback(models)).catch((error: unknown) => {
          goBack()
          throw error
        }),
    )

  // Without a network nothing comes.
  const isDraftKnown = !storedDraft.isPending || storedDraft.fetchStatus === 'paused'
  return { chat, conversation, draft, isDraftKnown, models, selection: fallback(models), refusal, send, talk }
}

const failures: { last: unknown } = { last: null }
