/** What a call of a tool returns. Its JSON has at most `MAX_RESULT` bytes. */
export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }]
  readonly structuredContent: Readonly<Record<string, unknown>>
  readonly isError?: true
}

/** Largest result of a call, bytes: text and structured content together, as they are sent. */
export const MAX_RESULT = 20 * 1024
/** Room for what the protocol adds to a result. */
const PROTOCOL = 512

export function resultOf(structuredContent: ToolResult['structuredContent']): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

/** A refusal, in a sentence that says what would be allowed. */
export function refusedCall(code: string, message: string): ToolResult {
  const structuredContent = { error: code, message: message.slice(0, 4000) }
  return {
    content: [{ type: 'text', text: `${structuredContent.message} (${code})` }],
    structuredContent,
    isError: true
  }
}

const sizeOf = (result: ToolResult) => Buffer.byteLength(JSON.stringify(result)) + PROTOCOL

/** The first of several ways to write a result that is small enough. Refuses if none is. */
export function fitting<Way>(ways: readonly Way[], write: (way: Way) => ToolResult['structuredContent']): ToolResult {
  for (const way of ways) {
    const result = resultOf(write(way))
    if (sizeOf(result) <= MAX_RESULT) return result
  }
  return refusedCall('too_long', 'the answer is too long: name a part of it, and fewer rows')
}
