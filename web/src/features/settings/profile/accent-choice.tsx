import type { Theme } from '@atrium/contract/settings'
import { useId } from 'react'
import { useText } from 'virtual:words/settings'

const accents = ['verdigris', 'indigo', 'ochre', 'rose', 'graphite'] as const

/** One of the accent colours, each with its name. */
export function AccentChoice({
  value,
  onChange,
  ...names
}: {
  value: Theme['accent']
  onChange: (accent: Theme['accent']) => void
  'aria-label': string
  'aria-describedby'?: string
}) {
  const t = useText('settings')
  const group = useId()
  return (
    <fieldset {...names} className="flex flex-wrap gap-1.5">
      {accents.map((accent) => (
        <label
          key={accent}
          className="hit relative flex h-control items-center gap-2 rounded-md border border-line px-2.5 text-sm hover:bg-hover has-checked:border-accent-line has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-ring"
        >
          <input
            type="radio"
            name={group}
            checked={value === accent}
            onChange={() => onChange(accent)}
            className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-md outline-none!"
          />
          <span aria-hidden className="size-3.5 rounded-full" style={{ background: swatches[accent] }} />
          {t(`appearance.accentOptions.${accent}`)}
        </label>
      ))}
    </fieldset>
  )
}

/** Between the light and the dark shade of `tokens.css`. */
const swatches = {
  verdigris: 'oklch(0.6 0.083 182)',
  indigo: 'oklch(0.6 0.13 272)',
  ochre: 'oklch(0.65 0.095 70)',
  rose: 'oklch(0.62 0.13 5)',
  graphite: 'oklch(0.58 0.016 215)',
}
