import { speechRoutes as routes, type VoiceFeature } from '@atrium/contract/speech'
import type { AccessMode } from '@atrium/contract/common'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, queryOf, refresh } from '../../../api/query.ts'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/speech-settings'

const variables = {
  stt: 'VOICE_INPUT',
  tts: 'TTS_ACCESS_MODE',
  'voice-mode': 'VOICE_MODE_ACCESS_MODE',
} as const satisfies Record<VoiceFeature, string>

/** Who may use one feature of speech; for administrators. */
export function AccessRow({ feature, id }: { feature: VoiceFeature; id: 'voiceInput' | 'voiceOutput' | 'voiceMode' }) {
  const t = useText('speech-settings')
  const { data } = useQuery(queryOf(routes.access))
  const { saving, save } = useSave()
  if (!data) return null
  const { mode, lockedByEnv } = data[feature]
  const store = async (next: AccessMode) => {
    queryClient.setQueryData(
      keyOf(routes.access),
      await call(routes.updateAccess, { params: { feature }, body: { mode: next } }),
    )
    await Promise.all([refresh(routes.own), refresh(routes.speechModels)])
  }
  return (
    <Row
      id={id}
      label={t(`entry.${id}`)}
      help={t(`access.${feature}`)}
      saving={saving}
      source={
        lockedByEnv && (
          <Badge tone="info">{t('setting-row:source.environment', { variable: variables[feature] })}</Badge>
        )
      }
    >
      {(names) => (
        <Select<AccessMode>
          {...names}
          className="w-64 max-w-full"
          value={mode}
          disabled={lockedByEnv}
          options={(['off', 'admins', 'all-users'] as const).map((value) => ({ value, label: t(`mode.${value}`) }))}
          onChange={(next) => void save(() => store(next))}
        />
      )}
    </Row>
  )
}
