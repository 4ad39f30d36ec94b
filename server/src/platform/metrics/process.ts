/** The figures of the process and its event loop, which the library behind the metrics reads by itself. What it reads and this does not name is left out. */
import { defineCounter, defineGauge, defineHistogram } from './definition.ts'

const seconds = { unit: 'seconds' } as const
const bytes = { unit: 'bytes' } as const

export const processMetrics = {
  process_cpu_user_seconds_total: defineCounter('Processor time of the process outside of the kernel', seconds),
  process_cpu_system_seconds_total: defineCounter('Processor time of the process in the kernel', seconds),
  process_cpu_seconds_total: defineCounter('Processor time of the process', seconds),
  process_start_time_seconds: defineGauge('When the process began, since 1970', seconds),
  process_resident_memory_bytes: defineGauge('Memory that the process holds', bytes),
  process_virtual_memory_bytes: defineGauge('Addresses that the process has in use', bytes),
  process_heap_bytes: defineGauge('Data segment of the process', bytes),
  process_open_fds: defineGauge('Files and connections that are open'),
  process_max_fds: defineGauge('Files and connections that may be open'),
  nodejs_eventloop_lag_seconds: defineGauge('How late the event loop is just now', seconds),
  nodejs_eventloop_lag_max_seconds: defineGauge('How late the event loop was at most since the last scrape', seconds),
  nodejs_eventloop_lag_mean_seconds: defineGauge('How late the event loop was on average', seconds),
  nodejs_eventloop_lag_p50_seconds: defineGauge('How late the event loop was half of the time', seconds),
  nodejs_eventloop_lag_p90_seconds: defineGauge('How late the event loop was 90 % of the time at most', seconds),
  nodejs_eventloop_lag_p99_seconds: defineGauge('How late the event loop was 99 % of the time at most', seconds),
  nodejs_gc_duration_seconds: defineHistogram('Time of garbage collections', [0.001, 0.01, 0.1, 1, 2, 5], {
    labels: { kind: ['major', 'minor', 'incremental', 'weakcb'] },
  }),
  nodejs_heap_size_total_bytes: defineGauge('Heap of V8 that is taken from the system', bytes),
  nodejs_heap_size_used_bytes: defineGauge('Heap of V8 in use', bytes),
  nodejs_external_memory_bytes: defineGauge('Memory of objects outside of the heap', bytes),
}
