/** A fresh id for something made on this page, so that sending it twice makes one. Works over plain HTTP too. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
