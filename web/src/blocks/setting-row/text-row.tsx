import { type ReactNode, useEffect, useState } from 'react'
import { Input, TextArea } from '../../ui/input.tsx'
import { Row, useSave } from './row.tsx'

/** A text that is saved when it is left or confirmed with Enter; Escape takes it back. */
export function TextRow({
  id,
  label,
  help,
  value,
  onSave,
  multiline,
  inputMode,
  type,
  placeholder,
  maxLength,
  autoComplete,
  ltr,
  disabled,
  state,
}: {
  id: string
  label: string
  help?: ReactNode
  value: string
  /** Stores the text; a thrown error is shown and the text stays for correction. A text it gives is shown instead. */
  onSave: (text: string) => Promise<unknown>
  multiline?: boolean
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'url'
  type?: 'text' | 'email'
  placeholder?: string
  maxLength?: number
  autoComplete?: string
  ltr?: boolean
  /** It is set elsewhere. */
  disabled?: boolean
  /** What is to be known of the value as it stands. */
  state?: ReactNode
}) {
  const { saving, save } = useSave()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const commit = () =>
    text !== value &&
    void save(async () => {
      const shown = await onSave(text)
      if (typeof shown === 'string') setText(shown)
    })
  const common = {
    value: text,
    placeholder,
    maxLength,
    disabled,
    autoComplete: autoComplete ?? 'off',
    dir: ltr ? 'ltr' : ('auto' as const),
    onBlur: commit,
  }
  return (
    <Row id={id} label={label} help={help} source={state} saving={saving} stacked={multiline}>
      {(names) =>
        multiline ? (
          <TextArea {...names} {...common} rows={4} onChange={(event) => setText(event.target.value)} />
        ) : (
          <span className="block w-64 max-w-full">
            <Input
              {...names}
              {...common}
              type={type}
              inputMode={inputMode}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') commit()
                if (event.key === 'Escape' && text !== value) {
                  event.preventDefault()
                  event.stopPropagation()
                  setText(value)
                }
              }}
            />
          </span>
        )
      }
    </Row>
  )
}
