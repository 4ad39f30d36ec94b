/** How much may still be kept: by one account, and on the disk. Both are looked at before anything is stored. */
import { fail } from '../http/refusal.ts'

export interface StorageLimits {
  /** Bytes that one account may keep; 0: as many as there is room for. */
  quotaBytes(): Promise<number>
  /** Bytes that are free where files go to; null where nobody can tell. */
  freeBytes(): Promise<number | null>
  /** So much stays free: chats, settings and the log go on where files are refused. */
  readonly keptFreeBytes: number
}

export const noLimits: StorageLimits = {
  quotaBytes: async () => 0,
  freeBytes: async () => null,
  keptFreeBytes: 0,
}

/** Refuses with `quota_full`, and says both figures. */
export const requireQuota = (quota: number, used: number, bytes: number): void => {
  if (used + bytes <= quota) return
  throw fail(
    'quota_full',
    `You’re using ${inWords(used)} of ${inWords(quota)}, and this needs ${inWords(bytes)}. Delete files in Settings → Storage, or ask an administrator for more.`,
  )
}

/** Refuses with `storage_full` what would leave less free than is kept free. */
export const requireSpace = async (limits: StorageLimits, bytes: number): Promise<void> => {
  const free = await limits.freeBytes()
  if (free === null || free - bytes >= limits.keptFreeBytes) return
  throw fail('storage_full', 'The server’s disk is almost full. Nothing was saved.')
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** `9.8 GB`, by thousands, as the pages say it. */
export const inWords = (bytes: number): string => {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[power]}`
}
