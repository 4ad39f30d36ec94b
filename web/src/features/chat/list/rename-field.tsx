import { useEffect, useRef, useState } from 'react'
import { isComposing } from '../../../lib/composing.ts'
import { Input } from '../../../ui/input.tsx'

/** A name being changed in its place. Enter and leaving it save, Escape takes the old one back. */
export function RenameField({
  value,
  label,
  onDone,
  className,
}: {
  value: string
  label: string
  /** The new name, or the old one when it was taken back. */
  onDone: (name: string) => void
  className?: string
}) {
  const [name, setName] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const over = useRef(false)
  useEffect(() => input.current?.select(), [])
  const end = (next: string) => {
    if (over.current) return
    over.current = true
    onDone(next.trim() || value)
  }
  return (
    <Input
      ref={input}
      autoFocus
      dir="auto"
      aria-label={label}
      maxLength={200}
      value={name}
      className={className}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => end(name)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (isComposing(event.nativeEvent)) return
        if (event.key === 'Enter') end(name)
        else if (event.key === 'Escape') end(value)
        else return
        event.preventDefault()
      }}
    />
  )
}
