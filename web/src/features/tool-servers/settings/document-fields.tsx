import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FilePicker } from '../../../ui/file-picker.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/tool-servers'

/** Where the OpenAPI document of a server comes from. */
export interface DocumentSource {
  readonly from: 'address' | 'file'
  /** Empty: it is at the server’s address. */
  readonly address: string
  readonly file: ChosenDocument | null
}
export interface ChosenDocument {
  readonly name: string
  readonly text: string
}

const mostLetters = 1_000_000

export function DocumentFields({
  value,
  fault,
  onChange,
}: {
  value: DocumentSource
  fault: string | null
  onChange: (next: DocumentSource) => void
}) {
  const t = useText('tool-servers')
  return (
    <>
      <Field label={t('document.label')}>
        <Select
          value={value.from}
          onChange={(from) => onChange({ ...value, from })}
          options={(['address', 'file'] as const).map((from) => ({ value: from, label: t(`document.from.${from}`) }))}
        />
      </Field>
      {value.from === 'address' ? (
        <Field label={t('document.address')} hint={t('document.addressHint')} error={fault}>
          <Input
            dir="ltr"
            type="url"
            maxLength={2000}
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://example.com/openapi.json"
            value={value.address}
            onChange={(event) => onChange({ ...value, address: event.target.value })}
          />
        </Field>
      ) : (
        <div className="flex flex-col gap-1.5">
          <div className="flex flex-wrap items-center gap-3">
            <DocumentButton onChosen={(file) => onChange({ ...value, file })} />
            {value.file && (
              <bdi dir="auto" className="min-w-0 truncate text-sm">
                {value.file.name}
              </bdi>
            )}
          </div>
          {fault !== null && (
            <p role="alert" className="text-sm text-danger-ink">
              {fault}
            </p>
          )}
        </div>
      )}
    </>
  )
}

/** Reads a document out of a file; one that is too large is said to be. */
export function DocumentButton({
  busy = false,
  onChosen,
}: {
  busy?: boolean
  onChosen: (file: ChosenDocument) => void
}) {
  const t = useText('tool-servers')
  const picker = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const take = async ([file]: File[]) => {
    if (!file) return
    setWrong(file.size > mostLetters ? t('document.tooLarge') : null)
    if (file.size <= mostLetters) onChosen({ name: file.name, text: await file.text() })
  }
  return (
    <>
      <FilePicker
        picker={picker}
        single
        accept=".json,.yaml,.yml,application/json,application/yaml"
        onFiles={(files) => void take(files)}
      />
      <Button busy={busy} icon={<FileUp className="size-4" />} onClick={() => picker.current?.click()}>
        {t('document.choose')}
      </Button>
      {wrong !== null && (
        <span role="alert" className="text-sm text-danger-ink">
          {wrong}
        </span>
      )}
    </>
  )
}
