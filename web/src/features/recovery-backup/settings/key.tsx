import { recoveryBackupRoutes as routes, type RecoveryKey } from '@atrium/contract/recovery-backup'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { ShownOnce } from '../../../blocks/shown-once.tsx'
import { formatDay, formatList } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { printKit } from './print-kit.ts'
import { useText } from 'virtual:words/recovery-backup'

/** The key that opens the backups without this machine: made, printed, and confirmed a week later. */
export function Key() {
  const t = useText('recovery-backup')
  const key = useQuery(queryOf(routes.key))
  const [asking, setAsking] = useState(false)
  const make = useMutation({
    mutationFn: () => call(routes.makeKey, {}),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => {
      setAsking(false)
      void refresh(routes.key)
    },
  })
  const secret = make.data?.recoveryKey
  return (
    <Section id="key" title={t('key')} text={t('keyText')}>
      <QueryView query={key} lines={2}>
        {({ state, madeAt, confirmedAt, askGroup, escrow, recipients, missingAt }) => (
          <>
            <p className={state === 'confirmed' ? 'py-2 text-ok-ink' : 'py-2 text-warn-ink'}>
              {t(`keyState.${state}`, { day: formatDay(confirmedAt ?? madeAt ?? 0) })}
            </p>
            {missingAt.length > 0 && <MissingAt names={missingAt} />}
            {!escrow && <p className="pb-2 text-warn-ink">{t('noEscrow')}</p>}
            {recipients.length > 0 && (
              <p className="pb-2 text-sm text-muted">{t('recipients', { count: recipients.length })}</p>
            )}
            {askGroup !== null && <Confirm group={askGroup} />}
            <Button
              busy={make.isPending}
              onClick={() => (state === 'none' || state === 'unseen' ? make.mutate() : setAsking(true))}
            >
              {t(state === 'none' || state === 'unseen' ? 'makeKey' : 'replaceKey')}
            </Button>
          </>
        )}
      </QueryView>
      {secret && (
        <ShownOnce
          title={t('kit')}
          text={t('kitText')}
          secret={secret}
          copy={t('copyKey')}
          warning={t('kitWarning')}
          onClose={() => make.reset()}
        >
          {make.data && make.data.missingAt.length > 0 && <MissingAt names={make.data.missingAt} />}
          <Button onClick={() => printKit(secret, { title: t('kit'), text: t('kitText'), warning: t('kitWarning') })}>
            {t('printKit')}
          </Button>
        </ShownOnce>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('replaceTitle')}
        confirm={t('replaceKey')}
        danger
        busy={make.isPending}
        onConfirm={() => make.mutate()}
      >
        {t('replaceText')}
      </ConfirmDialog>
    </Section>
  )
}

/** Where the key before still opens the backups. */
function MissingAt({ names }: { names: readonly string[] }) {
  const t = useText('recovery-backup')
  return (
    <p dir="auto" className="pb-2 text-start text-sm break-words text-warn-ink">
      {t('keyMissing', { names: formatList(names) })}
    </p>
  )
}

function Confirm({ group }: { group: NonNullable<RecoveryKey['askGroup']> }) {
  const t = useText('recovery-backup')
  const [text, setText] = useState('')
  const confirm = useMutation({
    mutationFn: () => call(routes.confirmKey, { body: { group: text } }),
    onSuccess: () => void refresh(routes.key),
  })
  function send(event: FormEvent) {
    event.preventDefault()
    if (text.trim() !== '') confirm.mutate()
  }
  return (
    <form onSubmit={send} className="mb-4 flex flex-wrap items-end gap-3">
      <Field
        label={t('askGroup', { number: group })}
        error={confirm.isError ? wordsOf(confirm.error) : undefined}
        className="w-64 max-w-full"
      >
        <Input
          value={text}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" busy={confirm.isPending}>
        {t('confirm')}
      </Button>
    </form>
  )
}
