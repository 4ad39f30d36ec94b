/** Why the vault did not open, or did not give out a value. The message is a sentence for the operator, without a secret. */
export type VaultFailureKind = 'key-missing' | 'key-invalid' | 'key-wrong' | 'damaged'

export class VaultFailure extends Error {
  readonly kind: VaultFailureKind
  constructor(kind: VaultFailureKind, message: string) {
    super(message)
    this.name = 'VaultFailure'
    this.kind = kind
  }
}
