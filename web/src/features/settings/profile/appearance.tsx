import { languages } from '@atrium/contract/languages'
import { Contrast, Monitor, Moon, Sun } from 'lucide-react'
import { savePreferences, usePreferences } from '../../../api/account.ts'
import { Select } from '../../../ui/select.tsx'
import { ChoiceRow } from '../../../blocks/setting-row/choice-row.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/settings'

/** How it all looks. */
export function Appearance() {
  const t = useText('settings')
  const preferences = usePreferences()
  const language = useSave()
  const options = <const V extends string>(group: string, values: readonly V[]): { value: V; label: string }[] =>
    values.map((value) => ({ value, label: t(`appearance.${group}Options.${value}`) }))
  const icons = { system: <Monitor />, light: <Sun />, dark: <Moon />, contrast: <Contrast /> }
  return (
    <div>
      <ChoiceRow
        id="theme"
        label={t('appearance.theme')}
        value={preferences.theme.mode}
        options={(['system', 'light', 'dark', 'contrast'] as const).map((value) => ({
          value,
          label: t(`app:theme.${value}`),
          icon: icons[value],
        }))}
        patch={(mode) => ({ theme: { mode } })}
      />
      <AccentRow />
      <Row id="language" label={t('appearance.language')} saving={language.saving}>
        {(names) => (
          <Select
            {...names}
            value={preferences.language}
            options={[
              { value: 'system', label: t('appearance.languageSystem') },
              // Each in its own words, so that nobody is locked out.
              ...languages.map(({ code, label }) => ({ value: code, label })),
            ]}
            onChange={(value) => void language.save(() => savePreferences({ language: value }))}
          />
        )}
      </Row>
      <ChoiceRow
        id="density"
        label={t('appearance.density')}
        help={t('appearance.densityHelp')}
        value={preferences.density}
        options={options('density', ['compact', 'normal', 'roomy'])}
        patch={(density) => ({ density })}
      />
      <ChoiceRow
        id="textSize"
        label={t('appearance.textSize')}
        value={preferences.textSize}
        options={options('textSize', ['small', 'normal', 'large'])}
        patch={(textSize) => ({ textSize })}
      />
      <ChoiceRow
        id="textWidth"
        label={t('appearance.textWidth')}
        help={t('appearance.textWidthHelp')}
        value={preferences.textWidth}
        options={options('textWidth', ['normal', 'wide'])}
        patch={(textWidth) => ({ textWidth })}
      />
      <ChoiceRow
        id="messageStyle"
        label={t('appearance.messageStyle')}
        help={t('appearance.messageStyleHelp')}
        value={preferences.messageStyle}
        options={options('messageStyle', ['bubbles', 'document'])}
        patch={(messageStyle) => ({ messageStyle })}
      />
      <ChoiceRow
        id="motion"
        label={t('appearance.motion')}
        value={preferences.motion}
        options={options('motion', ['system', 'reduced'])}
        patch={(motion) => ({ motion })}
      />
    </div>
  )
}

const accents = ['verdigris', 'indigo', 'ochre', 'rose', 'graphite'] as const

function AccentRow() {
  const t = useText('settings')
  const { theme } = usePreferences()
  const { saving, save } = useSave()
  return (
    <Row id="accent" label={t('appearance.accent')} saving={saving}>
      {(names) => (
        <fieldset {...names} className="flex flex-wrap gap-1.5">
          {accents.map((accent) => (
            <label
              key={accent}
              className="hit relative flex h-control items-center gap-2 rounded-md border border-line px-2.5 text-sm hover:bg-hover has-checked:border-accent-line has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-ring"
            >
              <input
                type="radio"
                name="accent"
                checked={theme.accent === accent}
                onChange={() => void save(() => savePreferences({ theme: { accent } }))}
                className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-md outline-none!"
              />
              <span aria-hidden className="size-3.5 rounded-full" style={{ background: swatches[accent] }} />
              {t(`appearance.accentOptions.${accent}`)}
            </label>
          ))}
        </fieldset>
      )}
    </Row>
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
