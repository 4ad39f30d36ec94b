import type { Selection } from '@atrium/contract/common'
import type { GenerationOptions } from '@atrium/contract/generation'
import { Plus } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { saveModelOptions, usePreferences } from '../../../api/account.ts'
import { failureOf } from '../../../api/errors.ts'
import { formatList, formatNumber } from '../../../lib/format.ts'
import { ModelPicker } from '../../../blocks/model-picker/model-picker.tsx'
import { modelKey, modelName, selectionOf, useModels } from '../../../blocks/models.ts'
import { Group, Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { OptionFields } from '../pane/option-fields.tsx'
import { levelOf } from '../compose/thinking-level.tsx'
import { useText } from 'virtual:words/chat-settings'
import 'virtual:words/chat'
import 'virtual:words/chat-compose'

/** Options that are used whenever one model answers, model by model. */
export function ModelOptions() {
  const t = useText('chat-settings')
  const models = useModels()
  const { modelGenerationOptions } = usePreferences()
  const [picking, setPicking] = useState(false)
  const [edited, setEdited] = useState<Selection | null>(null)
  const own = Object.entries(modelGenerationOptions).flatMap(([key, options]) => {
    const selection = selectionOf(key)
    return selection ? [{ key, selection, options }] : []
  })
  return (
    <section id="modelOptions" className="-mx-3 mt-8 rounded-lg px-3">
      <Group title={t('entry.modelOptions')} text={t('modelOptions.text')}>
        {own.map((row) => (
          <ModelRow
            key={row.key}
            selection={row.selection}
            options={row.options}
            onEdit={() => setEdited(row.selection)}
          />
        ))}
        <Button icon={<Plus className="size-4" />} className="mt-3" onClick={() => setPicking(true)}>
          {t('modelOptions.add')}
        </Button>
      </Group>
      <ModelPicker open={picking} onOpenChange={setPicking} value={null} onPick={setEdited} />
      {edited && (
        <OptionsDialog
          key={modelKey(edited)}
          name={modelName(models, edited)}
          selection={edited}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}

function ModelRow({
  selection,
  options,
  onEdit,
}: {
  selection: Selection
  options: GenerationOptions
  onEdit: () => void
}) {
  const t = useText('chat-settings')
  const name = modelName(useModels(), selection)
  const { saving, save } = useSave()
  return (
    <Row id={`options-${modelKey(selection)}`} label={name} help={useOptionWords(options)} saving={saving}>
      {() => (
        <span className="flex flex-wrap justify-end gap-2">
          <Button
            tone="quiet"
            aria-label={t('modelOptions.resetNamed', { name })}
            onClick={() => void save(() => saveModelOptions(selection, {}))}
          >
            {t('modelOptions.reset')}
          </Button>
          <Button aria-label={t('modelOptions.editNamed', { name })} onClick={onEdit}>
            {t('modelOptions.edit')}
          </Button>
        </span>
      )}
    </Row>
  )
}

function OptionsDialog({ name, selection, onClose }: { name: string; selection: Selection; onClose: () => void }) {
  const t = useText('chat-settings')
  const { generationOptions, modelGenerationOptions } = usePreferences()
  const [options, setOptions] = useState<GenerationOptions>(modelGenerationOptions[modelKey(selection)] ?? {})
  const save = useMutation({ mutationFn: () => saveModelOptions(selection, options), onSuccess: onClose })
  return (
    <FormDialog
      title={t('modelOptions.title', { name })}
      description={t('modelOptions.description')}
      submit={t('modelOptions.save')}
      busy={save.isPending}
      error={failureOf(save.error)}
      onClose={onClose}
      onSubmit={() => save.mutate()}
    >
      <OptionFields
        options={options}
        defaults={generationOptions}
        onSet={(option, value) => {
          const { [option]: _, ...rest } = options
          setOptions(value === undefined ? rest : { ...rest, [option]: value })
        }}
      />
    </FormDialog>
  )
}

/** `Temperature 0.2, Top K 40`. */
function useOptionWords(options: GenerationOptions): string {
  const t = useText('chat-settings')
  const valueOf = (value: unknown): string =>
    typeof value === 'number' ? formatNumber(value) : typeof value === 'string' ? value : JSON.stringify(value)
  const words = Object.entries(options).map(([name, value]) => {
    const known = named.find((option) => option === name)
    if (name === 'think')
      return t('chat-compose:thinkingLevel.label', { level: t(`chat-compose:thinkingLevel.${levelOf(options.think)}`) })
    return `${known ? t(`chat:option.${known}`) : name} ${valueOf(value)}`
  })
  return formatList(words)
}

/** The options that have a field. */
const named = [
  ...(['temperature', 'top_p', 'top_k', 'min_p', 'num_predict', 'num_ctx', 'repeat_penalty'] as const),
  ...(['presence_penalty', 'frequency_penalty', 'seed', 'stop'] as const),
]
