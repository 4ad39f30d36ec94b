import type { RefObject } from 'react'

/** Opens the system's dialog for files: click what `picker` holds. It is never seen, and the button before it has the name. */
export function FilePicker({
  picker,
  accept,
  camera,
  single,
  onFiles,
}: {
  picker: RefObject<HTMLInputElement | null>
  accept: string
  /** Takes a picture rather than choosing files, where there is a camera. */
  camera?: boolean
  /** One file at most. */
  single?: boolean
  onFiles: (files: File[]) => void
}) {
  return (
    <input
      ref={picker}
      type="file"
      multiple={!camera && !single}
      capture={camera ? 'environment' : undefined}
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
