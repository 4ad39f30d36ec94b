import { useState } from 'react'
import { Input, type InputProps } from '../../../ui/input.tsx'

/** An input that leaves what is typed half as it is; once it is left it shows `value` again. */
export function TypedInput({
  value,
  onText,
  ...rest
}: Omit<InputProps, 'value' | 'onChange' | 'onBlur'> & { value: string; onText: (text: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Input
      {...rest}
      value={typed ?? value}
      onChange={(event) => {
        setTyped(event.target.value)
        onText(event.target.value)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
