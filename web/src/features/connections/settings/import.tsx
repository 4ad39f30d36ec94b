import type { Definition, Plugin } from '@atrium/contract/connections'
import { FileUp } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextArea } from '../../../ui/input.tsx'
import { ImportCheck } from './import-check.tsx'
import { ScrollIntoView } from './scroll-into-view.tsx'
import { readDefinition } from './read-definition.ts'
import { useText } from 'virtual:words/connections'

const tooLarge = 10 * 1024 * 1024

/**
 * Takes a definition by drop, from a file or as pasted JSON, shows what it will change, and installs it. With `only`
 * it must be a new version of that definition.
 */
export function ImportDefinition({
  only,
  fresh = false,
  onDone,
  onCancel,
}: {
  only?: string
  /** It is installed anew, in the place of one that cannot be changed. */
  fresh?: boolean
  onDone: (plugin: Plugin) => void
  onCancel?: () => void
}) {
  const t = useText('connections')
  const input = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [definition, setDefinition] = useState<Definition | null>(null)

  function read(text: string) {
    const found = readDefinition(text, only)
    if ('definition' in found) {
      setWrong(null)
      setDefinition(found.definition)
    } else setWrong(t(`import.wrong.${found.wrong}`, found.more))
  }
  async function take(file: File | undefined) {
    if (!file) return
    setTyped('')
    if (file.size > tooLarge) return setWrong(t('import.wrong.size'))
    read(await file.text())
  }
  function onDrop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  if (definition) {
    return (
      <ImportCheck
        definition={definition}
        update={only !== undefined && !fresh}
        onDone={onDone}
        onBack={() => setDefinition(null)}
      />
    )
  }
  return (
    <ScrollIntoView className="flex scroll-mb-8 flex-col gap-4">
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={classNames(
          'flex flex-col items-center gap-2 rounded-lg border-2 border-dashed px-4 py-6 text-center',
          over ? 'border-accent-line bg-accent-soft' : 'border-line-strong/45',
        )}
      >
        <FileUp aria-hidden className="size-6 text-muted" />
        <p className="text-muted">{t('import.drop')}</p>
        <input
          ref={picker}
          id={input}
          type="file"
          accept=".json,application/json"
          aria-label={t('import.choose')}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            void take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <Button onClick={() => picker.current?.click()}>{t('import.choose')}</Button>
      </div>
      <Field label={t('import.paste')} hint={t('import.pasteHint')} error={wrong}>
        <TextArea
          dir="ltr"
          rows={4}
          spellCheck={false}
          className="font-mono text-sm"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setWrong(null)
          }}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel && <Button onClick={onCancel}>{t('cancel')}</Button>}
        <Button tone="primary" disabled={!typed.trim()} onClick={() => read(typed)}>
          {t('import.check')}
        </Button>
      </div>
    </ScrollIntoView>
  )
}
