/** A picture as an address that holds it (RFC 2397). Pure. */
export const dataUrlOf = ({ bytes, mediaType }: { readonly bytes: Uint8Array; readonly mediaType: string }): string =>
  `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`
