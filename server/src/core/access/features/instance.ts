/** The features whose rules are settings of the instance. */
import type { InstanceSettings } from '@atrium/contract/settings'
import type { Settings } from '../../settings/index.ts'
import type { Feature } from './features.ts'
import { modeRule, switchChange, switchRule } from './rules.ts'

type Reads = Pick<Settings, 'instance' | 'saveInstance'>

export const instanceFeatures = (settings: Reads): Feature[] => [
  Object.assign(voiceFeature(settings, 'voiceInput', 'voiceInputGroups'), { name: 'voice-input' as const }),
  Object.assign(voiceFeature(settings, 'voiceOutput', 'voiceOutputGroups'), { name: 'voice-output' as const }),
  Object.assign(voiceFeature(settings, 'voiceMode', 'voiceModeGroups'), {
    name: 'voice-mode' as const,
    needs: ['voice-input', 'voice-output'] as const,
  }),
  Object.assign(linkFeature(settings, 'chatLinks', 'chatLinkAudience', 'chatLinkGroups'), {
    name: 'chat-links' as const,
    refusal: 'chat_links_off' as const,
  }),
  Object.assign(linkFeature(settings, 'artifactLinks', 'artifactLinkAudience', 'artifactLinkGroups'), {
    name: 'artifact-links' as const,
    refusal: 'artifact_links_off' as const,
  }),
]

type Storage = Pick<Feature, 'read' | 'refusal' | 'save'>

const voiceFeature = (
  { instance, saveInstance }: Reads,
  mode: 'voiceInput' | 'voiceMode' | 'voiceOutput',
  groups: keyof InstanceSettings & `${string}Groups`,
): Storage => ({
  refusal: 'voice_not_allowed',
  async read() {
    const settings = await instance()
    return modeRule(settings[mode], settings[groups])
  },
  save: async (change) => void (await saveInstance({ [mode]: change.mode, [groups]: change.groupIds })),
})

const linkFeature = (
  { instance, saveInstance }: Reads,
  allowed: 'artifactLinks' | 'chatLinks',
  audience: 'artifactLinkAudience' | 'chatLinkAudience',
  groups: 'artifactLinkGroups' | 'chatLinkGroups',
): Storage => ({
  async read() {
    const settings = await instance()
    return switchRule(settings[allowed], settings[audience], settings[groups])
  },
  async save({ mode, groupIds }, rule) {
    const change = switchChange(mode, rule)
    await saveInstance({ [allowed]: change.on, [audience]: change.audience, [groups]: groupIds })
  },
})
