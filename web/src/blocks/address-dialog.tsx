import { useState } from 'react'
import { completeAddress } from '../lib/address.ts'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Input } from '../ui/input.tsx'

/** Asks for the address of a page on the web. */
export function AddressDialog({
  label,
  wrong,
  error = null,
  onAddress,
  ...dialog
}: {
  title: string
  description: string
  submit: string
  busy?: boolean
  /** The name of the field. */
  label: string
  /** The sentence for what is no address. */
  wrong: string
  /** Why the address that was given last was refused. */
  error?: string | null
  /** Gets an address that is complete. */
  onAddress: (url: string) => void
  onClose: () => void
}) {
  const [address, setAddress] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  function submit() {
    const url = completeAddress(address)
    setIsWrong(url === null)
    if (url !== null) onAddress(url)
  }
  return (
    <FormDialog width="narrow" {...dialog} onSubmit={submit}>
      <Field label={label} error={isWrong ? wrong : error} required>
        <Input
          type="url"
          dir="ltr"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.org/page"
          maxLength={2000}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </Field>
    </FormDialog>
  )
}
