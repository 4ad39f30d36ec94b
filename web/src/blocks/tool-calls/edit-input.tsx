import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/input.tsx'
import { useText } from 'virtual:words/tool-calls'
import { formatJson, isRecord, parseValue } from './parse.ts'

/** Where a person changes what a tool is called with. */
export function EditInput({
  text,
  fault,
  onChange,
}: {
  text: string
  /** It is no JSON object. */
  fault: boolean
  onChange: (text: string) => void
}) {
  const t = useText('tool-calls')
  return (
    <div className="border-t border-line px-3 py-2.5">
      <Field label={t('editLabel')} error={fault && t('editFault')}>
        <TextArea
          dir="ltr"
          rows={4}
          spellCheck={false}
          className="font-mono text-xs"
          defaultValue={formatJson(text)}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </div>
  )
}

/** The arguments that a text says; undefined where it is no JSON object. */
export function readInput(text: string): Record<string, unknown> | undefined {
  const value = parseValue(text)
  return isRecord(value) ? value : undefined
}
