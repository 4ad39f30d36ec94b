import { type Channel, channelsRoutes as routes } from '@atrium/contract/channels'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf, wordsOf } from '../../../api/errors.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { dropChannel, putChannel } from '../data/list.ts'
import { forgetTimelines } from '../open/store.ts'
import { useText } from 'virtual:words/channels'

/** Closes a channel so that it can still be read, or takes it away with all that was said. */
export function EndOfChannel({ channel, onDone }: { channel: Channel; onDone: () => void }) {
  const t = useText('channels')
  const [deleting, setDeleting] = useState(false)
  const isArchived = channel.archivedAt !== null
  const archive = useMutation({
    mutationFn: () => call(routes.update, { params: { channelId: channel.id }, body: { archived: !isArchived } }),
    onSuccess: (changed) => {
      putChannel(changed)
      onDone()
    },
  })
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-semibold">{t('settings.danger')}</legend>
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-40 flex-1 text-sm text-muted">{t('settings.archiveText')}</p>
        <Button busy={archive.isPending} onClick={() => archive.mutate()}>
          {t(isArchived ? 'settings.unarchive' : 'settings.archive')}
        </Button>
      </div>
      {archive.isError && (
        <p role="alert" className="text-sm text-danger-ink">
          {wordsOf(archive.error)}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-40 flex-1 text-sm text-muted">{t('settings.deleteText')}</p>
        <Button tone="danger" onClick={() => setDeleting(true)}>
          {t('settings.delete')}
        </Button>
      </div>
      {deleting && <DeleteDialog channel={channel} onClose={() => setDeleting(false)} />}
    </fieldset>
  )
}

/** Asks for the name of what is about to go. */
function DeleteDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useText('channels')
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { id, name } = channel
  const remove = useMutation({
    mutationFn: () => call(routes.removeChannel, { params: { channelId: id } }),
    onSuccess: async () => {
      await navigate({ to: links.channels() })
      dropChannel(id)
      forgetTimelines(id)
    },
  })
  return (
    <FormDialog
      title={t('delete.title', { name })}
      description={t('delete.text')}
      width="narrow"
      submit={t('delete.confirm')}
      tone="danger"
      busy={remove.isPending}
      disabled={typed.trim() !== name}
      error={failureOf(remove.error)}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <Field label={t('delete.type', { name })}>
        <Input dir="auto" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
