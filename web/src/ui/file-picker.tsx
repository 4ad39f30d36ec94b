import type { RefObject } from 'react'

/** Opens the system's dialog for files: click what `picker` holds. It is never seen, and the button before it has the name. */
export function FilePicker({
  picker,
  accept,
  onFiles,
}: {
  picker: RefObject<HTMLInputElement | null>
  accept: string
  onFiles: (files: File[]) => void
}) {
  return (
    <input
      ref={picker}
      type="file"
      multiple
      accept={accept}
      className="sr-only"
      tabIndex={-1}
      aria-hidden
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])])
        // The same file can be chosen again.
        event.target.value = ''
      }}
    />
  )
}
