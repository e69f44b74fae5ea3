import { MAX_PAYLOAD_BYTES } from './broker.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Maximum number of connections to the embedded broker, in any state. */
export const MAX_CONNECTIONS = 10_000

/** A typical CONNECT packet has a client id, an account and a last will on a device topic: about 500 bytes. */
export const MAX_CONNECT_BYTES = 4 * KIB
/** Time from the TCP connection to the CONNACK, including a TLS handshake. */
export const SIGN_ON_WITHIN_MS = 5_000
/**
 * Connections that have not signed on. Beyond either bound the oldest one is closed, not the newest: gateways that all
 * reconnect at the same time sign on within milliseconds, whereas connections held open on purpose keep waiting.
 */
export const MAX_PENDING = 1_000
export const MAX_PENDING_PER_ADDRESS = 100

/** A gateway has one connection or a few; the rest leaves room for lost connections that have not been detected yet. */
export const MAX_CONNECTIONS_PER_ACCOUNT = 50
export const MAX_SUBSCRIPTIONS = 1_000
export const MAX_SUBSCRIPTIONS_PER_ACCOUNT = 5_000
/** The longest topic has 137 characters. */
export const MAX_FILTER_LENGTH = 256
/** QoS 2 messages of one connection whose PUBREL has not arrived. Only their packet identifiers are stored. */
export const MAX_UNRELEASED_QOS2 = 100

/** In addition to its payload, a PUBLISH may have a topic of 64 KiB and a packet identifier. */
export const MAX_PUBLISH_BYTES = MAX_PAYLOAD_BYTES + 2 + 65_535 + 2
/** Any other packet. A SUBSCRIBE with 1,000 device topics takes 100 KB. */
export const MAX_OTHER_PACKET_BYTES = 128 * KIB
/** Packets parsed for one connection before other connections are served. */
export const PACKETS_PER_TURN = 100
export const BYTES_PER_TURN = 64 * KIB

/** Unacknowledged messages of one connection; at this bound the connection is not read. */
export const MAX_UNANSWERED_MESSAGES = 1_000
/** Approximate memory that a message takes in addition to its payload. */
export const MESSAGE_COST_BYTES = 512

/** A subscriber that has not read any of its pending data for this long is disconnected. */
export const DRAIN_WITHIN_MS = 30_000

/** Kinds of memory that a connection uses. */
export type ByteKind = 'unanswered' | 'incomplete' | 'outgoing'

export interface ByteBounds {
  connection: number
  /** All connections of one account. */
  account: number
  /** All connections of the broker. */
  total: number
  /** A connection that holds less is not affected when others use up the bound of the account or of the broker. */
  floor: number
}

export const BYTE_BOUNDS: Record<ByteKind, ByteBounds> = {
  /** Messages that are not acknowledged yet. At the bound, the connection is not read until some are. */
  unanswered: { connection: 4 * MIB, account: 16 * MIB, total: 128 * MIB, floor: 64 * KIB },
  /** Packets that have not arrived completely. At the bound, the connection is closed. */
  incomplete: { connection: 2 * MIB, account: 8 * MIB, total: 64 * MIB, floor: 64 * KIB },
  /** Data that the client has not read yet. At the bound, the connection is closed. */
  outgoing: { connection: 4 * MIB, account: 16 * MIB, total: 64 * MIB, floor: 64 * KIB },
}
