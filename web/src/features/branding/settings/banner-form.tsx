import { bannerKinds, type BannerKind, brandingRoutes, type ListedBanner } from '@atrium/contract/branding'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input, TextArea } from '../../../ui/input.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { useText } from 'virtual:words/branding'

/** Writes a banner, or changes one. */
export function BannerForm({ before, onClose }: { before: ListedBanner | null; onClose: () => void }) {
  const t = useText('branding')
  const [text, setText] = useState(before?.text ?? '')
  const [kind, setKind] = useState<BannerKind>(before?.kind ?? 'info')
  const [from, setFrom] = useState(toField(before?.startsAt ?? null))
  const [until, setUntil] = useState(toField(before?.endsAt ?? null))
  const [dismissible, setDismissible] = useState(before?.dismissible ?? true)
  const [isPublic, setPublic] = useState(before?.public ?? false)
  const [tried, setTried] = useState(false)
  const [startsAt, endsAt] = [fromField(from), fromField(until)]
  const textFault = text.trim() === '' ? t('banner.textMissing') : null
  const isOver = endsAt !== null && Date.parse(endsAt) <= Date.now()
  const isBackwards = endsAt !== null && startsAt !== null && endsAt <= startsAt
  const untilFault = isOver ? t('banner.untilOver') : isBackwards ? t('banner.untilFirst') : null
  const save = useMutation({
    mutationFn: () => {
      const body = { text: text.trim(), kind, startsAt, endsAt, dismissible, public: isPublic }
      return before
        ? call(brandingRoutes.updateBanner, { params: { id: before.id }, body })
        : call(brandingRoutes.createBanner, { body })
    },
    onSuccess: () => {
      void refresh(brandingRoutes.allBanners)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t(before ? 'banner.editTitle' : 'banner.add')}
      submit={t(before ? 'banner.save' : 'banner.publish')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onSubmit={() => {
        setTried(true)
        if (textFault === null && untilFault === null) save.mutate()
      }}
      onClose={onClose}
    >
      <Field label={t('banner.text')} hint={t('banner.textHint')} error={tried ? textFault : null} required>
        <TextArea value={text} onChange={(event) => setText(event.target.value)} maxLength={500} rows={3} dir="auto" />
      </Field>
      <SegmentedControl<BannerKind>
        label={t('banner.kindLabel')}
        value={kind}
        onChange={setKind}
        options={bannerKinds.map((value) => ({ value, label: t(`banner.kind.${value}`) }))}
      />
      <div className="flex flex-wrap gap-3">
        <Field label={t('banner.fromLabel')} hint={t('banner.fromHint')} className="min-w-52 flex-1">
          <Input type="datetime-local" value={from} onChange={(event) => setFrom(event.target.value)} />
        </Field>
        <Field
          label={t('banner.untilLabel')}
          hint={t('banner.untilHint')}
          error={tried ? untilFault : null}
          className="min-w-52 flex-1"
        >
          <Input type="datetime-local" value={until} onChange={(event) => setUntil(event.target.value)} />
        </Field>
      </div>
      <CheckField label={t('banner.dismissible')} checked={dismissible} onChange={setDismissible} />
      <CheckField label={t('banner.public')} hint={t('banner.publicHint')} checked={isPublic} onChange={setPublic} />
    </FormDialog>
  )
}

/** A time as its field has it: in the zone of the browser, to the minute. */
function toField(time: string | null): string {
  if (time === null) return ''
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function fromField(text: string): string | null {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
