// Limits of the stream: streaming contract, section 6, and the times of section 5.

export const SUBSCRIPTIONS_PER_BLOCK = 500
export const CONNECTIONS_PER_BUNDLE = 5
/** Subscriptions to objects and arrays are updated at most once a second and count as ten. */
export const NODE_COST = 10 as const
export const ROWS_PER_PAGE = 500

// Milliseconds between two updates of a subscription.
export const MIN_CADENCE = 100
export const MAX_CADENCE = 60_000
export const DEFAULT_CADENCE = 1000
export const MIN_NODE_CADENCE = 1000

// Bytes. A client frame above the first limit is refused; one above the second closes the connection.
export const MAX_CLIENT_FRAME_BYTES = 64 * 1024
export const CLOSING_FRAME_BYTES = 1024 * 1024
export const MAX_SERVER_FRAME_BYTES = 256 * 1024
/** No more is written to a socket with this many unsent bytes. */
export const HIGH_WATER_MARK = 256 * 1024
/** Not in the contract: a thousand catalog pages would be too much memory for one client. */
export const MAX_UNSENT_REPLY_BYTES = 8 * 1024 * 1024
export const MAX_UNSENT_REPLIES = 1000

export const COMMANDS_PER_SECOND = 50
export const COMMAND_BURST = 200
export const ITEMS_PER_COMMAND = 100
export const PARAMS_PER_SUBSCRIPTION = 8
export const REJECTIONS_PER_MINUTE = 1000

// Milliseconds.
export const DEFAULT_HEARTBEAT = 5000
export const MIN_HEARTBEAT = 1000
export const MAX_HEARTBEAT = 60_000
export const PING_INTERVAL = 20_000
/** A connection without a frame, ping or pong from its client for this long is closed. */
export const IDLE_TIMEOUT = 60_000
/** Time behind until a reader gets a notice, and time without any progress until its connection is closed. */
export const SLOW_NOTICE_AFTER = 5000
export const SLOW_CLOSE_AFTER = 30_000
/** A subscription without a value for this long gets the error no_data, once. */
export const NO_DATA_AFTER = 15_000
/** Longest time that an acknowledgement waits for a symbol to load. */
export const ACK_TIMEOUT = 2000
/** Subscriptions of a lost connection can be resumed for this long. */
export const RESUME_WINDOW = 120_000
/** Inputs that do not move for this long during a session make a value stale. */
export const STALE_AFTER = 60_000
/** Clients have this long to leave before the service stops. */
export const DRAIN_TIME = 10_000
