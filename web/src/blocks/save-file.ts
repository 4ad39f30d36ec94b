/** Hands the browser a file to save. */
export function saveFile(name: string, content: string | Blob, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** The browser writes what stands at an address to the disk as it comes, however long it is; the server names it. */
export function saveFrom(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
