/**
 * Runs the built server again and again in one process, which has it loaded and compiled after the first time. Each
 * has its own environment and folder; it is told to begin by a message with its environment, and to end by `end`. A
 * server that ends otherwise takes the process with it.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const main = pathToFileURL(join(import.meta.dirname, '..', '..', 'server', 'dist', 'main.js'))
const listened = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection']
const exit = process.exit.bind(process)
let count = 0

process.exit = (code?: number | string | null) => {
  if (code !== 0) exit(code)
  for (const name of listened) process.removeAllListeners(name)
  process.send?.('ended')
  return undefined as never
}
process.on('disconnect', () => exit(0))
process.on('message', (message: 'end' | Record<string, string>) => {
  if (message === 'end') return void process.emit('SIGTERM')
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, message)
  count += 1
  // Another address is another module, so that it runs; what it imports is there already.
  main.search = `${count}`
  void import(main.href)
})
