import { Check } from 'lucide-react'
import { useId } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { palette, colorToStyle } from '../data/colors.ts'
import { useText } from 'virtual:words/calendar'

/** One of eight colours, one of one’s own, or the usual one. */
export function ColorField({
  label,
  usual,
  value,
  onChange,
}: {
  label: string
  /** What null means. */
  usual: string
  value: string | null
  onChange: (color: string | null) => void
}) {
  const t = useText('calendar')
  const name = useId()
  const isOwn = value !== null && !palette.some(([, color]) => color === value)
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap items-center gap-2">
        <label
          className={classNames(
            'relative flex h-7 items-center rounded-full border px-2.5 text-sm has-focus-visible:outline-2 has-focus-visible:outline-ring',
            value === null ? 'border-accent bg-accent-soft' : 'border-line-strong/45',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={value === null}
            onChange={() => onChange(null)}
            className="absolute inset-0 m-0 appearance-none rounded-full outline-none!"
          />
          {usual}
        </label>
        {palette.map(([key, color]) => (
          <label
            key={key}
            style={colorToStyle(color)}
            className="relative grid size-7 place-items-center rounded-full bg-(--tint) text-white has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
          >
            <input
              type="radio"
              name={name}
              aria-label={t(`color.${key}`)}
              checked={value === color}
              onChange={() => onChange(color)}
              className="absolute inset-0 m-0 appearance-none rounded-full outline-none!"
            />
            {value === color && <Check aria-hidden className="size-4" />}
          </label>
        ))}
        <label
          className={classNames(
            'relative flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-sm has-focus-visible:outline-2 has-focus-visible:outline-ring',
            isOwn ? 'border-accent bg-accent-soft' : 'border-line-strong/45',
          )}
        >
          {t('color.own')}
          <input
            type="color"
            value={value ?? '#0f8a83'}
            onChange={(event) => onChange(event.target.value)}
            className="size-5 cursor-pointer rounded-sm border-0 bg-transparent p-0"
          />
        </label>
      </div>
    </fieldset>
  )
}
