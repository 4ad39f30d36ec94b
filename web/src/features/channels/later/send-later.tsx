import { channelsRoutes as routes } from '@atrium/contract/channels'
import { Clock } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { call } from '../../../api/client.ts'
import { type Failure } from '../../../ui/error-card.tsx'
import { failureOf, wordsOf } from '../../../api/errors.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuLabel } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toaster.tsx'
import type { ChannelDraft } from '../compose/draft.ts'
import { useText } from 'virtual:words/channels-later'
import { refreshLater } from './changes.ts'
import { TimeItems } from './time-items.tsx'
import { isLater, TimeField, toLocalValue } from './time-field.tsx'

/** Beside the button that sends: the same at another time. */
export function SendLater({
  draft,
  channelId,
  parentId,
  inChannel = false,
}: {
  draft: ChannelDraft
  channelId: string
  parentId: string | null
  inChannel?: boolean
}) {
  const t = useText('channels-later')
  const { content, files, models } = useStore(draft.store)
  const [time, setTime] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const ready = files.flatMap(({ attachment }) => attachment ?? [])
  const isUploading = ready.length < files.length
  const text = content.trim()
  if (text === '' && files.length === 0 && time === null) return null
  const send = async (at: Date) => {
    setBusy(true)
    setFailure(null)
    try {
      const body = {
        content: text,
        sendAt: at.toISOString(),
        ...(ready.length === 0 ? {} : { attachmentIds: ready.map(({ id }) => id) }),
        ...(models.length === 0 ? {} : { models: models.map(({ selection }) => selection) }),
        ...(parentId === null ? {} : { parentId, inChannel }),
      }
      const { sendAt } = await call(routes.schedule, { params: { channelId }, body })
      // What was typed since stays.
      if (draft.store.getState().content.trim() === text) draft.type('')
      for (const { key, attachment } of files) if (attachment) draft.cancel(key)
      for (const { selection } of models) draft.dropModel(selection)
      toast(t('willSend', { when: formatDateTime(sendAt) }))
      setTime(null)
      await refreshLater()
    } catch (error) {
      if (time === null) toast(wordsOf(error), { tone: 'danger' })
      else setFailure(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Menu
        side="top"
        trigger={
          <IconButton
            label={t(isUploading ? 'uploading' : 'sendLater')}
            icon={<Clock />}
            tooltipSide="top"
            disabled={isUploading || busy}
          />
        }
      >
        <MenuLabel>{t('sendLater')}</MenuLabel>
        <TimeItems
          onTime={(at) => void send(at)}
          onChoose={() => setTimeout(() => setTime(toLocalValue(new Date(Date.now() + 3600_000))), 50)}
        />
      </Menu>
      {time !== null && (
        <FormDialog
          title={t('sendTitle')}
          submit={t('save')}
          width="narrow"
          busy={busy}
          disabled={!isLater(time)}
          error={failure}
          onSubmit={() => void send(new Date(time))}
          onClose={() => setTime(null)}
        >
          <TimeField value={time} onChange={setTime} />
        </FormDialog>
      )}
    </>
  )
}
