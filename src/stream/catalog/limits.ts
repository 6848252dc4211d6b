// The limits of the channel: streaming contract, section 6, and the times of section 5.

export const SUBSCRIPTIONS_PER_BLOCK = 500
export const CONNECTIONS_PER_BUNDLE = 5
export const LEAST_CADENCE = 100
export const MOST_CADENCE = 60_000
export const USUAL_CADENCE = 1000
/** Objects and arrays are sent once a second at most, and count as ten subscriptions. */
export const LEAST_NODE_CADENCE = 1000
export const NODE_COST = 10 as const

/** Bytes. A client frame above the first is refused, above the second it ends the connection. */
export const CLIENT_FRAME = 64 * 1024
export const CLIENT_FRAME_CLOSE = 1024 * 1024
export const SERVER_FRAME = 256 * 1024
/** Nothing more is handed to a socket while so many bytes are unsent. */
export const UNSENT_MARK = 256 * 1024
export const MOST_UNSENT_REPLIES = 1000
/** Own: pages of the catalog are large, and a thousand of them would be too much to keep for one client. */
export const MOST_UNSENT_REPLY_BYTES = 8 * 1024 * 1024

export const COMMANDS_PER_SECOND = 50
export const COMMAND_BURST = 200
export const ITEMS_PER_COMMAND = 100
export const PARAMS_PER_SUBSCRIPTION = 8
export const REJECTIONS_PER_MINUTE = 1000

export const ROWS_PER_PAGE = 500

// Milliseconds.
export const USUAL_HEARTBEAT = 5000
export const LEAST_HEARTBEAT = 1000
export const MOST_HEARTBEAT = 60_000
export const PING_EVERY = 20_000
export const SILENCE = 60_000
/** How long a reader may be behind before it is told, and before it is let go. */
export const SLOW_NOTICE = 5000
export const SLOW_CLOSE = 30_000
/** A subscription without a value for this long is told so, once. */
export const WARMING = 15_000
/** How long an acknowledgement waits for a symbol that has to be loaded first. */
export const ACK_PATIENCE = 2000
/** How long a lost connection can be resumed. */
export const RESUMABLE = 120_000
/** Inputs that have not moved for so long in session make a value stale. */
export const STALE = 60_000
export const DRAIN = 10_000
