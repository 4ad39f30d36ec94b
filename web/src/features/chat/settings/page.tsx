import { chatRoutes } from '@atrium/contract/chat'
import type { GenerationOptions } from '@atrium/contract/generation'
import { useQuery } from '@tanstack/react-query'
import { savePreferences, usePreferences } from '../../../api/account.ts'
import { Problem } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { onApple, readableKeys } from '../../../lib/platform.ts'
import { ModelChoiceRow } from '../../../blocks/model-picker/choice-row.tsx'
import { ChoiceRow } from '../../../blocks/setting-row/choice-row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { ModelOptions } from './model-options.tsx'
import { useText } from 'virtual:words/chat-settings'

/** How chatting works for this person. */
export function ChatSettingsPage() {
  const t = useText('chat-settings')
  const preferences = usePreferences()
  const own = preferences.chat
  const policy = useQuery(queryOf(chatRoutes.contextPolicy))
  return (
    <>
      <Group title={t('groupTalk')}>
        <DefaultModelRow />
        <ChoiceRow
          id="sendKey"
          label={t('entry.sendKey')}
          help={t('sendKeyHelp')}
          value={own.sendKey}
          options={[
            { value: 'enter', label: readableKeys('Enter') },
            { value: 'mod-enter', label: readableKeys('Mod+Enter', onApple) },
          ]}
          patch={(sendKey) => ({ chat: { sendKey } })}
        />
        <ChoiceRow
          id="follow"
          label={t('entry.follow')}
          help={t('followHelp')}
          value={own.follow}
          options={[
            { value: 'question', label: t('followQuestion') },
            { value: 'end', label: t('followEnd') },
          ]}
          patch={(follow) => ({ chat: { follow } })}
        />
        <SwitchRow
          id="showThinking"
          label={t('entry.showThinking')}
          help={t('showThinkingHelp')}
          value={own.showThinking}
          onSave={(showThinking) => savePreferences({ chat: { showThinking } })}
        />
        <SwitchRow
          id="generateTitles"
          label={t('entry.generateTitles')}
          help={t('generateTitlesHelp')}
          value={own.generateTitles}
          onSave={(generateTitles) => savePreferences({ chat: { generateTitles } })}
        />
        <ModelChoiceRow
          id="titleModel"
          label={t('entry.titleModel')}
          help={t('titleModelHelp')}
          value={preferences.titleModel}
          none={t('titleModelNone')}
          onSave={(titleModel) => savePreferences({ titleModel })}
        />
        <SwitchRow
          id="followUps"
          label={t('entry.followUps')}
          help={t('followUpsHelp')}
          value={own.followUps}
          onSave={(followUps) => savePreferences({ chat: { followUps } })}
        />
        <SwitchRow
          id="pasteAsFile"
          label={t('entry.pasteAsFile')}
          value={own.pasteAsFile}
          onSave={(pasteAsFile) => savePreferences({ chat: { pasteAsFile } })}
        />
        {own.pasteAsFile && (
          <TextRow
            id="pasteThreshold"
            label={t('entry.pasteThreshold')}
            help={t('range', { min: formatNumber(500), max: formatNumber(100_000) })}
            value={String(own.pasteThreshold)}
            inputMode="numeric"
            ltr
            onSave={async (text) =>
              savePreferences({ chat: { pasteThreshold: numberIn(text, 500, 100_000, t('notANumber')) } })
            }
          />
        )}
      </Group>
      <Group title={t('groupModel')} text={t('groupModelText')}>
        <TextRow
          id="systemMessage"
          label={t('entry.systemMessage')}
          help={t('systemMessageHelp')}
          value={preferences.systemMessage}
          multiline
          maxLength={20_000}
          onSave={(systemMessage) => savePreferences({ systemMessage })}
        />
        <OptionRow id="temperature" option="temperature" min={0} max={2} />
        <OptionRow id="maxTokens" option="num_predict" min={1} max={1_000_000} whole />
        <OptionRow id="contextWindow" option="num_ctx" min={128} max={2_097_152} whole />
        {policy.data && (
          <p className="mt-4 text-sm text-muted">
            {policy.data.compaction
              ? t('policySummaries', {
                  tokens: formatNumber(policy.data.thresholdTokens),
                  keep: formatNumber(policy.data.keepRecentMessages),
                })
              : t('policyFit')}
          </p>
        )}
      </Group>
      <ModelOptions />
    </>
  )
}

function DefaultModelRow() {
  const t = useText('chat-settings')
  const { defaultModel } = usePreferences()
  return (
    <ModelChoiceRow
      id="defaultModel"
      label={t('entry.defaultModel')}
      help={t('defaultModelHelp')}
      value={defaultModel}
      none={t('defaultModelNone')}
      onSave={(selection) => savePreferences({ defaultModel: selection })}
    />
  )
}

function OptionRow({
  id,
  option,
  min,
  max,
  whole,
}: {
  id: string
  option: 'temperature' | 'num_predict' | 'num_ctx'
  min: number
  max: number
  whole?: boolean
}) {
  const t = useText('chat-settings')
  const { generationOptions } = usePreferences()
  const value = generationOptions[option]
  return (
    <TextRow
      id={id}
      label={t(`entry.${id}`)}
      help={t(`${id}Help`)}
      value={value === undefined ? '' : String(value)}
      placeholder={t('byProvider')}
      inputMode={whole ? 'numeric' : 'decimal'}
      onSave={async (text) => {
        const rest: GenerationOptions = { ...generationOptions }
        delete rest[option]
        const next = text.trim() === '' ? rest : { ...rest, [option]: numberIn(text, min, max, t('notANumber'), whole) }
        return savePreferences({ generationOptions: next })
      }}
    />
  )
}

/** The number a person wrote, with Arabic digits and a decimal comma too. Throws `Problem` with `words` when it is none. */
function numberIn(text: string, min: number, max: number, words: string, whole = true): number {
  const latin = text
    .trim()
    .replace(/[٠-٩]/g, (digit) => String('٠١٢٣٤٥٦٧٨٩'.indexOf(digit)))
    .replace(/[,٫]/, '.')
  const value = Number(latin)
  if (latin === '' || Number.isNaN(value) || value < min || value > max || (whole && !Number.isInteger(value))) {
    throw new Problem('out_of_range', `${words} ${formatNumber(min)} – ${formatNumber(max)}.`)
  }
  return value
}
