/** Content at rest is sealed by the application: AES-256-GCM, a data key per account wrapped by the instance key. */

/** Sealed bytes: version, key id, nonce, ciphertext, tag. Made only by the vault. */
export type Sealed = Uint8Array & { readonly __sealed: true }

/** `table.column`, bound in as associated data together with the row's id. */
export type ColumnName = `${string}.${string}`

/** Seals and opens with one owner's data key. Synchronous; for content over 256 KiB use the async pair. */
export interface Keyring {
  seal(place: ColumnName, rowId: string, plain: string): Sealed
  open(place: ColumnName, rowId: string, sealed: Uint8Array): string
  sealBytes(place: ColumnName, rowId: string, plain: Uint8Array): Promise<Sealed>
  openBytes(place: ColumnName, rowId: string, sealed: Uint8Array): Promise<Uint8Array>
}

export interface Vault {
  /**
   * The keyring of an owner: an account by its id, or something with a key of its own by its kind and id, such as
   * `channel:<id>`. The data key is made on first use. null: the instance's own.
   */
  keyring(owner: string | null): Promise<Keyring>
  /** A keyed one-way digest (hex) for look-ups by value, distinct per purpose. */
  blindIndex(purpose: string, value: string): string
}
