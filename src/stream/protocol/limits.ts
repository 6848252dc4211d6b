// Limits of the stream, from section 6 of the streaming contract, and its times, from section 5.

export const SUBSCRIPTIONS_PER_BLOCK = 500
export const CONNECTIONS_PER_BUNDLE = 5
/** Subscriptions to objects and arrays are updated at most once a second, and each counts as ten subscriptions. */
export const NODE_COST = 10 as const
export const ROWS_PER_PAGE = 500

// Milliseconds between two updates of a subscription.
export const MIN_CADENCE = 100
export const MAX_CADENCE = 60_000
export const DEFAULT_CADENCE = 1000
export const MIN_NODE_CADENCE = 1000

// Sizes in bytes. A client frame above `MAX_CLIENT_FRAME_BYTES` is refused; one above `CLOSING_FRAME_BYTES` closes the
// connection.
export const MAX_CLIENT_FRAME_BYTES = 64 * 1024
export const CLOSING_FRAME_BYTES = 1024 * 1024
export const MAX_SERVER_FRAME_BYTES = 256 * 1024
/** Nothing more is written to a socket that has this many unsent bytes. */
export const HIGH_WATER_MARK = 256 * 1024
/**
 * Maximum bytes of replies that wait for one client, for example a thousand unread catalog pages. This limit is not in
 * the published contract.
 */
export const MAX_UNSENT_REPLY_BYTES = 8 * 1024 * 1024
export const MAX_UNSENT_REPLIES = 1000

export const COMMANDS_PER_SECOND = 50
export const COMMAND_BURST = 200
export const ITEMS_PER_COMMAND = 100
export const PARAMS_PER_SUBSCRIPTION = 8
/** Different sets of expirations that the subscriptions of a connection may name. Each is an answer of its own. */
export const EXPIRATION_SETS_PER_CONNECTION = 8
export const REJECTIONS_PER_MINUTE = 1000

// Times in milliseconds.
export const DEFAULT_HEARTBEAT = 5000
export const MIN_HEARTBEAT = 1000
export const MAX_HEARTBEAT = 60_000
export const PING_INTERVAL = 20_000
/** A connection is closed if its client sends no frame, ping or pong for this long. */
export const IDLE_TIMEOUT = 60_000
/**
 * A client that is behind for `SLOW_NOTICE_AFTER` gets a notice; one that reads nothing for `SLOW_CLOSE_AFTER` is
 * disconnected.
 */
export const SLOW_NOTICE_AFTER = 5000
export const SLOW_CLOSE_AFTER = 30_000
/** A subscription that has no value after this time gets the error no_data, once. */
export const NO_DATA_AFTER = 15_000
/** Maximum time that an acknowledgement waits for a symbol to load. */
export const ACK_TIMEOUT = 2000
/** For this long after a connection is lost, its subscriptions can be resumed. */
export const RESUME_WINDOW = 120_000
/** A value is stale if its input data has not changed for this long during a session. */
export const STALE_AFTER = 60_000
/** When the service stops, clients have this long to disconnect. */
export const DRAIN_TIME = 10_000
