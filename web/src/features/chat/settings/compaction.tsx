import { chatRoutes, type CompactionConfig } from '@atrium/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { saveInTurn } from '../../../api/saves.ts'
import { formatNumber } from '../../../lib/format.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { ModelChoiceRow } from '../../../blocks/model-picker/choice-row.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { SwitchRow } from '../../../blocks/setting-row/switch-row.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { useText } from 'virtual:words/chat-settings'

/** How long chats are summarised, for everybody on this server. */
export function Compaction() {
  const t = useText('chat-settings')
  const config = useQuery(queryOf(chatRoutes.compactionConfig))
  return (
    <section id="compaction" className="-mx-3 mt-8 rounded-lg px-3">
      <Group title={t('entry.compaction')} text={t('compaction.help')}>
        <QueryView query={config}>{(value) => <Rows config={value} />}</QueryView>
      </Group>
    </section>
  )
}

async function store(body: Partial<CompactionConfig>) {
  await saveInTurn(chatRoutes.compactionConfig, () => call(chatRoutes.updateCompactionConfig, { body }))
  void refresh(chatRoutes.contextPolicy)
}

function Rows({ config }: { config: CompactionConfig }) {
  const t = useText('chat-settings')
  const whole = (text: string, min: number, max: number) => {
    const value = Number(text.trim())
    if (Number.isInteger(value) && value >= min && value <= max) return value
    throw new Problem('out_of_range', `${t('notANumber')} ${formatNumber(min)} – ${formatNumber(max)}.`)
  }
  return (
    <>
      <SwitchRow
        id="compaction-enabled"
        label={t('compaction.enabled')}
        value={config.enabled}
        onSave={(enabled) => store({ enabled })}
      />
      <TextRow
        id="compaction-threshold"
        label={t('compaction.threshold')}
        help={t('compaction.thresholdHelp')}
        value={String(config.thresholdTokens)}
        inputMode="numeric"
        ltr
        onSave={async (text) => store({ thresholdTokens: whole(text, 500, 1_000_000) })}
      />
      <TextRow
        id="compaction-keep"
        label={t('compaction.keep')}
        help={t('compaction.keepHelp')}
        value={String(config.keepRecentMessages)}
        inputMode="numeric"
        ltr
        onSave={async (text) => store({ keepRecentMessages: whole(text, 2, 200) })}
      />
      <ModelChoiceRow
        id="compaction-model"
        label={t('compaction.model')}
        help={t('compaction.modelHelp')}
        value={config.model}
        none={t('compaction.modelNone')}
        onSave={(model) => store({ model })}
      />
      <TextRow
        id="compaction-prompt"
        label={t('compaction.prompt')}
        help={t('compaction.promptHelp')}
        value={config.prompt}
        multiline
        maxLength={8000}
        onSave={(prompt) => store({ prompt })}
      />
    </>
  )
}
