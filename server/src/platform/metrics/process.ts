/** The figures of the process and its event loop, which the library behind the metrics reads by itself. What it reads and this does not name is left out. */
import { defineCounter, defineGauge, defineHistogram } from './definition.ts'

const seconds = { unit: 'seconds' } as const
const bytes = { unit: 'bytes' } as const

export const processMetrics = {
  process_cpu_user_seconds_total: defineCounter('Processor time of the process in user mode', seconds),
  process_cpu_system_seconds_total: defineCounter('Processor time of the process in kernel mode', seconds),
  process_cpu_seconds_total: defineCounter('Processor time of the process', seconds),
  process_start_time_seconds: defineGauge('Unix time at which the process started', seconds),
  process_resident_memory_bytes: defineGauge('Resident memory of the process', bytes),
  process_virtual_memory_bytes: defineGauge('Virtual memory of the process', bytes),
  process_heap_bytes: defineGauge('Data segment of the process', bytes),
  process_open_fds: defineGauge('Open files and connections'),
  process_max_fds: defineGauge('Maximum number of open files and connections'),
  nodejs_eventloop_lag_seconds: defineGauge('Current event loop lag', seconds),
  nodejs_eventloop_lag_max_seconds: defineGauge('Maximum event loop lag since the last scrape', seconds),
  nodejs_eventloop_lag_mean_seconds: defineGauge('Mean event loop lag', seconds),
  nodejs_eventloop_lag_p50_seconds: defineGauge('Median event loop lag', seconds),
  nodejs_eventloop_lag_p90_seconds: defineGauge('90th percentile of event loop lag', seconds),
  nodejs_eventloop_lag_p99_seconds: defineGauge('99th percentile of event loop lag', seconds),
  nodejs_gc_duration_seconds: defineHistogram('Time of garbage collections', [0.001, 0.01, 0.1, 1, 2, 5], {
    labels: { kind: ['major', 'minor', 'incremental', 'weakcb'] },
  }),
  nodejs_heap_size_total_bytes: defineGauge('V8 heap allocated from the system', bytes),
  nodejs_heap_size_used_bytes: defineGauge('V8 heap in use', bytes),
  nodejs_external_memory_bytes: defineGauge('Memory of objects outside the heap', bytes),
}
