import type { GenerationOptions } from '@atrium/contract/generation'
import { formatNumber } from '../../../lib/format.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { levelOf, thinkOf } from '../compose/thinking-level.tsx'
import { useText } from 'virtual:words/chat'
import 'virtual:words/chat-compose'

type NumberOption =
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'min_p'
  | 'num_predict'
  | 'num_ctx'
  | 'repeat_penalty'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'seed'

/** The limits are those of the contract; a value beyond them would be refused. */
const numbers: readonly { name: NumberOption; min: number; max: number; step: number | 'any' }[] = [
  { name: 'temperature', min: 0, max: 2, step: 0.1 },
  { name: 'top_p', min: 0, max: 1, step: 0.05 },
  { name: 'top_k', min: 0, max: 1000, step: 1 },
  { name: 'min_p', min: 0, max: 1, step: 0.01 },
  { name: 'num_predict', min: 1, max: 1_000_000, step: 1 },
  { name: 'num_ctx', min: 128, max: 2_097_152, step: 1 },
  { name: 'repeat_penalty', min: 0, max: 2, step: 0.05 },
  { name: 'presence_penalty', min: -2, max: 2, step: 0.1 },
  { name: 'frequency_penalty', min: -2, max: 2, step: 0.1 },
  { name: 'seed', min: -9_007_199_254_740_991, max: 9_007_199_254_740_991, step: 1 },
]
const whole = new Set<string>(['top_k', 'num_predict', 'num_ctx', 'seed'])

/** How the model samples. An empty field leaves it to the person's own setting, then to the provider. */
export function OptionFields({
  options,
  defaults,
  onSet,
}: {
  options: GenerationOptions
  defaults: GenerationOptions
  /** Sets one option; without a value it is left to the person's own. */
  onSet: <K extends keyof GenerationOptions>(name: K, value: GenerationOptions[K] | undefined) => void
}) {
  const t = useText('chat')
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-semibold">{t('settings.options')}</legend>
      <Field label={t('settings.think')}>
        <Select
          value={levelOf(options.think)}
          onChange={(level) => onSet('think', thinkOf(level))}
          options={(['default', 'off', 'on', 'low', 'medium', 'high'] as const).map((value) => ({
            value,
            label: t(`chat-compose:thinkingLevel.${value}`),
          }))}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        {numbers.map(({ name, min, max, step }) => (
          <Field key={name} label={t(`option.${name}`)}>
            <Input
              type="number"
              dir="ltr"
              inputMode="decimal"
              min={min}
              max={max}
              step={step}
              placeholder={defaults[name] === undefined ? t('settings.provider') : formatNumber(defaults[name])}
              value={options[name] ?? ''}
              onChange={(event) => onSet(name, fitted(event.target.value, name, min, max))}
            />
          </Field>
        ))}
      </div>
      <Field label={t('option.stop')} hint={t('option.stopHint')}>
        <Input
          dir="ltr"
          key={(options.stop ?? []).join()}
          defaultValue={(options.stop ?? []).join(', ')}
          onBlur={(event) => onSet('stop', list(event.target.value))}
        />
      </Field>
    </fieldset>
  )
}

function fitted(text: string, name: string, min: number, max: number): number | undefined {
  if (text.trim() === '') return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) return undefined
  const within = Math.min(max, Math.max(min, value))
  return whole.has(name) ? Math.round(within) : within
}

function list(text: string): string[] | undefined {
  const words = text
    .split(',')
    .map((word) => word.trimStart().slice(0, 200))
    .filter(Boolean)
    .slice(0, 8)
  return words.length ? words : undefined
}
