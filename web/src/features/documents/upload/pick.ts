/** Lets somebody choose files from anywhere in the app; they go to the library. `then` runs once some were chosen. */
export function pickDocuments(then: () => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.onchange = () => {
    const files = [...(input.files ?? [])].map((file) => ({ file, folder: '' }))
    if (files.length === 0) return
    void import('./queue.ts').then(({ addFiles }) => addFiles(files, null))
    then()
  }
  input.click()
}
