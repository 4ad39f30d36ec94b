import type { MediaModel } from '@atrium/contract/media-gallery'
import { mediaModelKey } from '../media-models.ts'
import { useMediaWords } from '../media-words/media-words.ts'
import { formatNumber } from '../../lib/format.ts'
import { Select } from '../../ui/select.tsx'
import { useText } from 'virtual:words/media-choices'
import { type Choice, mostPictures } from './choices.ts'

export function ModelSelect({
  models,
  model,
  onChoose,
  className,
}: {
  models: readonly MediaModel[]
  className?: string
  model: MediaModel | undefined
  /** Its key. */
  onChoose: (key: string) => void
}) {
  const t = useText('media-choices')
  const { modelName } = useMediaWords()
  return (
    <Select
      aria-label={t('model')}
      className={className ?? 'w-56 max-w-full max-tab:w-full'}
      value={model ? mediaModelKey(model) : ''}
      options={models.map((one) => ({
        value: mediaModelKey(one),
        label: modelName(one),
      }))}
      onChange={onChoose}
    />
  )
}

/** One list for each thing that the model lets choose, with what is usual first. */
export function ChoiceSelects({
  choices,
  chosen,
  onChoose,
  className,
}: {
  choices: readonly Choice[]
  /** Of each list, where they are not as wide as a phone. */
  className?: string
  /** By field. */
  chosen: Readonly<Record<string, string>>
  onChoose: (chosen: Readonly<Record<string, string>>) => void
}) {
  const t = useText('media-choices')
  const { valueName } = useMediaWords()
  const labelOf = (field: string, value: string) =>
    field === 'durationMs'
      ? t('seconds', { seconds: formatNumber(Number(value)) })
      : // “Automatic” alone does not say what of.
        field === 'quality' || field === 'style'
        ? t('chosen', { field: t(`field.${field}`), value: valueName(field, value) })
        : valueName(field, value)
  return choices.map(({ field, values, usual }) => (
    <Select
      key={field}
      aria-label={t(`field.${field}`)}
      className={className ?? 'w-48 max-w-full max-tab:w-full'}
      value={values.includes(chosen[field] ?? '') ? (chosen[field] ?? '') : ''}
      options={[
        { value: '', label: usual ? labelOf(field, usual) : t('usual', { field: t(`field.${field}`) }) },
        ...values.filter((value) => value !== usual).map((value) => ({ value, label: labelOf(field, value) })),
      ]}
      onChange={(value) => onChoose({ ...chosen, [field]: value })}
    />
  ))
}

export function CountSelect({
  model,
  count,
  onChoose,
}: {
  model: MediaModel
  count: number
  onChoose: (count: number) => void
}) {
  const t = useText('media-choices')
  return (
    <Select
      aria-label={t('count')}
      className="min-w-28"
      value={String(Math.min(count, mostPictures(model)))}
      options={Array.from({ length: mostPictures(model) }, (_, at) => ({
        value: String(at + 1),
        label: t('images', { count: at + 1 }),
      }))}
      onChange={(value) => onChoose(Number(value))}
    />
  )
}
