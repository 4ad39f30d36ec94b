/** Ids for tool calls that came without one. */
import { randomUUID } from 'node:crypto'

/**
 * A new id, unlike that of any other call: clients send the calls of all turns back, some keep results by their ids,
 * and a provider may refuse a history in which one repeats.
 */
export const newCallId = (): string => `call_${randomUUID().replaceAll('-', '')}`
