import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { Input } from './input.tsx'

/** A secret that can be looked at while it is typed. */
export function PasswordInput({
  showLabel,
  hideLabel,
  ...rest
}: { showLabel: string; hideLabel: string } & Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  return (
    <Input
      {...rest}
      type={shown ? 'text' : 'password'}
      dir="ltr"
      autoCapitalize="none"
      spellCheck={false}
      end={
        <IconButton
          label={shown ? hideLabel : showLabel}
          icon={shown ? <EyeOff /> : <Eye />}
          size="small"
          tooltipSide="none"
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
