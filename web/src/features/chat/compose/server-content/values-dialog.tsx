import { toolContentRoutes } from '@atrium/contract/tool-servers'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { failureOf } from '../../../../api/errors.ts'
import { queryOf } from '../../../../api/query.ts'
import { showHidden } from '../../../../blocks/tool-calls/invisible.ts'
import { Field } from '../../../../ui/field.tsx'
import { FormDialog } from '../../../../ui/form-dialog.tsx'
import { Input } from '../../../../ui/input.tsx'
import { useText } from 'virtual:words/chat-compose-server-content'

interface Asked {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

interface ServerReference {
  readonly id: string
  readonly name: string
}

type Subject = { readonly prompt: string } | { readonly template: string }

/** Asks for the arguments of a prompt, or for what an address lacks; the server suggests values while one types. */
export function ValuesDialog({
  title,
  description,
  server,
  of,
  fields,
  submit,
  onSubmit,
  onClose,
}: {
  title: string
  description: string
  server: ServerReference
  of: Subject
  fields: readonly Asked[]
  submit: string
  onSubmit: (values: Record<string, string>) => Promise<void>
  onClose: () => void
}) {
  const t = useText('chat-compose-server-content')
  const [values, setValues] = useState<Record<string, string>>({})
  const [tried, setTried] = useState(false)
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
  const isMissing = ({ name, required }: Asked) => required && given[name] === undefined
  const sending = useMutation({ mutationFn: () => onSubmit(given), onSuccess: onClose })
  return (
    <FormDialog
      title={showHidden(title)}
      description={t('from', { server: server.name })}
      submit={submit}
      busy={sending.isPending}
      error={failureOf(sending.error)}
      onSubmit={() => {
        setTried(true)
        if (!fields.some(isMissing)) sending.mutate()
      }}
      onClose={onClose}
    >
      {description !== '' && (
        <p dir="auto" className="text-sm wrap-anywhere text-muted">
          {showHidden(description)}
        </p>
      )}
      {fields.map((field) => {
        const { [field.name]: value = '', ...others } = given
        return (
          <Field
            key={field.name}
            label={<bdi>{showHidden(field.name)}</bdi>}
            hint={field.description === '' ? undefined : <bdi>{showHidden(field.description)}</bdi>}
            required={field.required}
            error={tried && isMissing(field) ? t('missing') : undefined}
          >
            <SuggestedInput
              value={values[field.name] ?? ''}
              serverId={server.id}
              asked={{ of, argument: { name: field.name, value }, others }}
              onChange={(next) => setValues((now) => ({ ...now, [field.name]: next }))}
            />
          </Field>
        )
      })}
    </FormDialog>
  )
}

/** A line of text for which the server is asked what would fit. */
function SuggestedInput({
  value,
  serverId,
  asked,
  onChange,
}: {
  value: string
  serverId: string
  asked: { of: Subject; argument: { name: string; value: string }; others: Record<string, string> }
  onChange: (value: string) => void
}) {
  const listId = useId()
  const [focused, setFocused] = useState(false)
  const body = useDeferredValue(asked)
  const suggestions = useQuery({
    ...queryOf(toolContentRoutes.completeServerArgument, { params: { id: serverId }, body }),
    enabled: focused,
    staleTime: 60_000,
    retry: false,
    placeholderData: (before) => before,
  }).data?.values
  return (
    <>
      <Input
        dir="auto"
        maxLength={10_000}
        list={listId}
        value={value}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {suggestions?.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}
