/** A thread that ends its process as soon as the process that started it is gone, however busy the main thread is. */
import { parentPort } from 'node:worker_threads'

const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 500)
parentPort?.postMessage('awake')
