import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { Input } from './input.tsx'
import { useUiWords } from './words.tsx'

/** A secret that can be looked at while it is typed. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const words = useUiWords()
  const [shown, setShown] = useState(false)
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      dir="ltr"
      autoCapitalize="none"
      spellCheck={false}
      end={
        <IconButton
          label={shown ? words.hideTyped : words.showTyped}
          icon={shown ? <EyeOff /> : <Eye />}
          size="small"
          tooltipSide="none"
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
