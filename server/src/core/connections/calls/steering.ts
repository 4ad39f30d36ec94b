/**
 * Fields that are meant for a gateway in between, never for the model: where to call, with which key and headers, whom
 * to ask instead. A provider that is such a gateway itself (LiteLLM, OpenRouter) would follow them, with the key and the
 * network of this instance, and to other models than the one that a token may use. They are dropped. Pure.
 */

const steering: ReadonlySet<string> = new Set([
  // Where to call, and as whom.
  ...['api_base', 'base_url', 'api_key', 'api_version', 'api_type', 'organization', 'custom_llm_provider'],
  ...['azure_ad_token', 'azure_endpoint', 'deployment_id', 'model_list', 'credentials', 'proxy', 'proxies'],
  // What else to send.
  ...['headers', 'extra_headers', 'extra_body', 'extra_query', 'default_headers', 'default_query'],
  // Whom to ask instead, and what to answer unasked.
  ...['fallbacks', 'default_fallbacks', 'context_window_fallbacks', 'context_window_fallback_dict'],
  ...['content_policy_fallbacks', 'models', 'route', 'mock_response', 'mock_tool_calls', 'mock_timeout'],
  // How often and how long.
  ...['num_retries', 'max_retries', 'timeout', 'request_timeout', 'stream_timeout'],
])
/** Families of such fields: credentials of clouds, and the switches of one gateway. */
const families = /^(aws|vertex|azure|watsonx|litellm)_/

const isSteering = (field: string): boolean => steering.has(field) || families.test(field)

/** The body without them. */
export const withoutSteering = (body: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  // A copy by spread: an assignment to `__proto__` would change what the object is.
  const kept: Record<string, unknown> = { ...body }
  for (const field in kept) if (isSteering(field)) delete kept[field]
  return kept
}
