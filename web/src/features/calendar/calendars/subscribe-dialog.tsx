import { calendarRoutes, mostNameLetters } from '@atrium/contract/calendar'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { refreshCalendar } from '../data/events.ts'
import { useText } from 'virtual:words/calendar'

/** Follows a calendar that is kept elsewhere. */
export function SubscribeDialog({ onClose }: { onClose: () => void }) {
  const t = useText('calendar')
  const [url, setUrl] = useState('')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const subscribe = useMutation({
    mutationFn: async () => {
      const named = name.trim() === '' ? {} : { name: name.trim() }
      await call(calendarRoutes.subscribe, { body: { url: url.trim(), ...named } })
      await refreshCalendar()
    },
    onSuccess: onClose,
  })
  const isAddress = /^(?:https?|webcals?):\/\/\S+$/i.test(url.trim())
  function submit() {
    setTried(true)
    if (isAddress) subscribe.mutate()
  }
  return (
    <FormDialog
      width="narrow"
      title={t('subscription.title')}
      description={t('subscription.text')}
      submit={t('subscription.submit')}
      busy={subscribe.isPending}
      error={failureOf(subscribe.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={t('subscription.url')}
        hint={t('subscription.urlHelp')}
        error={tried && !isAddress ? t('subscription.urlMissing') : null}
        required
      >
        <Input
          dir="ltr"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <Field label={t('subscription.name')} hint={t('subscription.nameHelp')}>
        <Input dir="auto" maxLength={mostNameLetters} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
