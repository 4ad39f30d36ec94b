declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'
  /** Opens a body of RFC 8188, keyed as RFC 8291 says. Throws for what does not fit the keys. */
  const ece: {
    decrypt(
      body: Buffer,
      params: { readonly version: 'aes128gcm'; readonly privateKey: ECDH; readonly authSecret: string },
    ): Buffer
  }
  export default ece
}
