import { CheckField } from '../../../ui/check-field.tsx'
import { saveSettings } from '../open/edit.ts'
import { useOpen } from '../open/store.ts'
import { useThread } from '../thread/context.ts'
import { useText } from 'virtual:words/chat-sources'

/** Beside excerpts that were not enough: from the next question on, the documents go whole. */
export function WholeNextTime() {
  const t = useText('chat-sources')
  const { chat, attempt } = useThread()
  const whole = useOpen(chat, (state) => state.conversation?.head.settings.fullDocumentContext === true)
  const change = (on: boolean) =>
    attempt(() => saveSettings(chat, (now) => ({ ...now, fullDocumentContext: on || undefined })))
  return <CheckField label={t('wholeNext')} checked={whole} onChange={change} />
}
