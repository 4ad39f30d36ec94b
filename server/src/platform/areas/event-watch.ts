/** How an area that waits for what happens in another one hears of it: the other area offers a slot for one. */
import type { AnyTransaction } from '../db/types.ts'

export interface EventWatch<Happening> {
  /** Notes what happens, within the transaction that has it happen. Gives whether somebody waits for it. */
  note(trx: AnyTransaction, happening: Happening): Promise<boolean>
  /** Somebody waits for what was noted, and the transaction is over. */
  wake(): void
}
