import { lazy, type ReactNode, Suspense } from 'react'
import { Button } from './button.tsx'
import { WindowComing } from './early-keys.tsx'
import { loadLayers } from './idle-parts.ts'
import { useUiWords } from './words.tsx'

const Window = lazy(() => loadLayers().then((module) => ({ default: module.DialogWindow })))

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** One sentence below the title; read aloud when it opens. */
  description?: ReactNode
  /** Buttons, the main one last. */
  footer?: ReactNode
  width?: 'narrow' | 'normal' | 'wide' | 'full'
  /** Keeps the title for screen readers only. */
  hideTitle?: boolean
  /** It may be longer than the window and holds nothing to focus: the text itself takes the focus, for the keys. */
  isLongText?: boolean
  /** No way out but the buttons. */
  modalOnly?: boolean
  className?: string
  children?: ReactNode
}

/** A window over the page. Focus is held inside and goes back to where it was. */
export function Dialog(props: DialogProps) {
  if (!props.open) return null
  const close = () => props.onOpenChange(false)
  return (
    <Suspense fallback={<WindowComing onClose={props.modalOnly ? undefined : close} />}>
      <Window {...props} />
    </Suspense>
  )
}

/** Asks before something that is hard to undo. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirm,
  danger,
  busy,
  onConfirm,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
  /** The word on the button says what will happen: “Delete”, never “OK”. */
  confirm: string
  danger?: boolean
  busy?: boolean
  onConfirm: () => void
}) {
  const words = useUiWords()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={children}
      width="narrow"
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{words.cancel}</Button>
          <Button tone={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    />
  )
}
