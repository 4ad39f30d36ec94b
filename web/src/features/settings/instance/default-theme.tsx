import { type InstanceSettings, settingsRoutes, type Theme } from '@atrium/contract/settings'
import { call } from '../../../api/client.ts'
import { saveInTurn } from '../../../api/saves.ts'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { SourceBadge } from '../../../blocks/setting-row/source-badge.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { AccentChoice } from '../profile/accent-choice.tsx'
import { useText } from 'virtual:words/settings'

/** How it looks for visitors, and for people who chose nothing. */
export function DefaultTheme({ setting }: { setting: InstanceSettings['defaultTheme'] }) {
  const t = useText('settings')
  const { saving, save } = useSave()
  const store = (defaultTheme: Partial<Theme>) =>
    void save(() =>
      saveInTurn(settingsRoutes.instance, () => call(settingsRoutes.updateInstance, { body: { defaultTheme } })),
    )
  return (
    <Row
      id="defaultTheme"
      label={t('instance.defaultTheme')}
      help={t('instance.defaultThemeHelp')}
      source={<SourceBadge setting={setting} />}
      saving={saving}
      stacked
    >
      {(names) => (
        <div className="flex flex-wrap gap-x-4 gap-y-2.5">
          <SegmentedControl
            label={t('instance.defaultTheme')}
            value={setting.value.mode}
            options={(['system', 'light', 'dark', 'contrast'] as const).map((value) => ({
              value,
              label: t(`app:theme.${value}`),
            }))}
            onChange={(mode) => store({ mode })}
          />
          <AccentChoice
            {...names}
            aria-label={t('instance.defaultAccent')}
            value={setting.value.accent}
            onChange={(accent) => store({ accent })}
          />
        </div>
      )}
    </Row>
  )
}
