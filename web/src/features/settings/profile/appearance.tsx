import { languages } from '@atrium/contract/languages'
import { Contrast, Monitor, Moon, Sun } from 'lucide-react'
import { savePreferences, usePreferences } from '../../../api/account.ts'
import { Select } from '../../../ui/select.tsx'
import { ChoiceRow } from '../../../blocks/setting-row/choice-row.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { AccentChoice } from './accent-choice.tsx'
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
      <TimeZoneRow />
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

function AccentRow() {
  const t = useText('settings')
  const { theme } = usePreferences()
  const { saving, save } = useSave()
  return (
    <Row id="accent" label={t('appearance.accent')} saving={saving}>
      {(names) => (
        <AccentChoice
          {...names}
          value={theme.accent}
          onChange={(accent) => void save(() => savePreferences({ theme: { accent } }))}
        />
      )}
    </Row>
  )
}

function TimeZoneRow() {
  const t = useText('settings')
  const { timeZone } = usePreferences()
  const { saving, save } = useSave()
  const chosen = timeZone === 'system' ? [] : [timeZone]
  const zones = [...new Set(['UTC', ...chosen, ...Intl.supportedValuesOf('timeZone')])].sort()
  return (
    <Row id="timeZone" label={t('appearance.timeZone')} help={t('appearance.timeZoneHelp')} saving={saving}>
      {(names) => (
        <Select
          {...names}
          className="max-w-64"
          value={timeZone}
          options={[
            { value: 'system', label: t('appearance.timeZoneSystem') },
            ...zones.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
          ]}
          onChange={(value) => void save(() => savePreferences({ timeZone: value }))}
        />
      )}
    </Row>
  )
}
